import type { IssueStatus } from "@hookwright/domain";
import { CliError, exitStatus, ownError } from "../cli-error.ts";
import { suggest } from "../suggest.ts";
import { numberOf, rowsOf, textOf } from "./fields.ts";
import type { ApiClient } from "./api-client.ts";
import type { Row } from "./fields.ts";

export interface DeliveryFilters {
  readonly status?: string | undefined;
  readonly event?: string | undefined;
  readonly site?: string | undefined;
  readonly webhookId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** What the deliveries are of: a record, an order number, an e-mail address, a webhook. */
  readonly search?: string | undefined;
  /** Those with the failure of this issue. */
  readonly issue?: string | undefined;
}

/** The webhooks that this credential can see, newest first. */
export async function listWebhooks(api: ApiClient): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of api.pages({ path: "/developer/v1/webhooks", query: { limit: "100" } }))
    rows.push(...page);
  return rows;
}

export interface WebhookRequest {
  readonly url: string;
  /** Names, or only `*`. */
  readonly events: readonly string[];
  readonly site: string | undefined;
  readonly name: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The text as it was typed. The server checks that it is a number from 1 to 1,000. */
  readonly maxPerSecond: string | undefined;
  readonly isOrdered: boolean;
  readonly bodyForm: string | undefined;
  readonly isPaused: boolean;
}

/** The new webhook with its secret, or the one that exists already. */
export function createWebhook(
  api: ApiClient,
  { url, events, site, name, headers, maxPerSecond, isOrdered, bodyForm, isPaused }: WebhookRequest,
): Promise<Row> {
  const body = {
    target_url: url,
    events,
    ...(site === undefined ? {} : { project_id: site }),
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(maxPerSecond === undefined ? {} : { max_per_second: toNumber(maxPerSecond) }),
    ...(isOrdered ? { ordered: true } : {}),
    ...(bodyForm === undefined ? {} : { body_form: bodyForm }),
    ...(isPaused ? { paused: true } : {}),
  };
  // The secret is shown only once: Ctrl-C must not lose it.
  const sent = api.send({ method: "POST", path: "/developer/v1/webhooks", body, isAwaited: true });
  return sent.catch((error: unknown) => explainUnknown(api, error, { events: [...events], site }));
}

function toNumber(text: string): number | string {
  return /^\d+$/u.test(text) ? Number(text) : text;
}

export interface TestRequest {
  readonly event?: string | undefined;
  /** In place of the sample. */
  readonly data?: Row | undefined;
  /** Whose body is sent again. */
  readonly deliveryId?: string | undefined;
}

/** Sends a test, and waits for the attempt. */
export function testWebhook(
  api: ApiClient,
  id: string,
  { event, data, deliveryId }: TestRequest,
): Promise<Row> {
  return api.send({
    method: "POST",
    path: `/developer/v1/webhooks/${encodeURIComponent(id)}/test`,
    body: {
      ...(event === undefined ? {} : { event }),
      ...(data === undefined ? {} : { data }),
      ...(deliveryId === undefined ? {} : { delivery_id: deliveryId }),
    },
    ...(deliveryId === undefined && { ifMissing: listsWebhooks }),
  });
}

/** @returns the changed webhook */
export function actOnWebhook(api: ApiClient, id: string, action: "pause" | "resume"): Promise<Row> {
  return api.send({
    method: "POST",
    path: `/developer/v1/webhooks/${encodeURIComponent(id)}/${action}`,
    ifMissing: listsWebhooks,
  });
}

export function deleteWebhook(api: ApiClient, id: string): Promise<Row> {
  return api.send({
    method: "DELETE",
    path: `/v1/webhooks/${encodeURIComponent(id)}`,
    ifMissing: listsWebhooks,
  });
}

const listsWebhooks = "`hookwright webhooks` lists those that this credential can see.";
const listsIssues = "`hookwright issues` lists those that this credential can see.";
const listsDeliveries = "`hookwright deliveries` lists the newest.";

/**
 * A list of deliveries of a webhook that does not exist is empty, so this tells a mistyped id from a quiet webhook.
 *
 * @throws {CliError} `resource_not_found`
 */
export async function expectWebhook(api: ApiClient, id: string): Promise<Row> {
  const rows = await listWebhooks(api);
  const found = rows.find((row) => textOf(row, "id") === id);
  if (found !== undefined) return found;
  const ids = rows.map((row) => textOf(row, "id") ?? "");
  const message = `there is no webhook ${JSON.stringify(id)}${suggest(id, ids, "")}. ${listsWebhooks}`;
  throw new CliError("resource_not_found", message, { exitStatus: exitStatus.negative });
}

/** The events of the server. */
export async function listEventTypes(api: ApiClient): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of api.pages({ path: "/developer/v1/event-types" })) rows.push(...page);
  return rows;
}

/**
 * An event, with the fields of its data as their schema describes them.
 *
 * @throws {CliError} `unknown_event`
 */
export async function getEventType(api: ApiClient, event: string): Promise<Row> {
  const types = await listEventTypes(api);
  const found = types.find((type) => type["event"] === event);
  if (found !== undefined) return found;
  const names = types.map((type) => textOf(type, "event") ?? "");
  throw unknownEvent(event, names, names);
}

/**
 * Refuses a webhook or an event that does not exist. Call it only if nothing is found, because there may be deliveries of an event
 * that the server had before.
 *
 * @throws {CliError} `resource_not_found`, `unknown_event`
 */
export async function expectNames(
  api: ApiClient,
  { webhookId, event }: Pick<DeliveryFilters, "webhookId" | "event">,
): Promise<void> {
  if (webhookId !== undefined) await expectWebhook(api, webhookId);
  if (event !== undefined) await getEventType(api, event);
}

/** @param similar what the name may mean */
function unknownEvent(event: string, names: readonly string[], similar: readonly string[]): CliError {
  const hint = suggest(event, similar, "");
  const known = names.length === 0 ? "The server has no events yet" : `The events are: ${names.join(", ")}`;
  const message = `unknown event ${JSON.stringify(event)}${hint}. ${known}.`;
  return new CliError("unknown_event", message, { exitStatus: exitStatus.wrongUsage });
}

/**
 * Pages of deliveries, newest first, back to `since`.
 *
 * @param beforePage awaited before each request
 */
export async function* listDeliveries(
  api: ApiClient,
  { status, event, site, webhookId, since, search, issue }: DeliveryFilters,
  pageSize: number,
  beforePage?: () => Promise<void>,
): AsyncGenerator<readonly Row[]> {
  const query = {
    limit: String(pageSize),
    status,
    event,
    project_id: site,
    webhook_id: webhookId,
    since: since === undefined ? undefined : toTimestamp(since),
    q: search,
    issue,
  };
  for await (const page of api.pages({ path: "/developer/v1/deliveries", query, beforePage })) {
    // A server that does not know `since` ignores it, so the rows are compared here too.
    const recent = page.filter(
      (row) => since === undefined || createdAt(row) >= Math.floor(since / 1_000) * 1_000,
    );
    yield recent;
    if (recent.length < page.length) return;
  }
}

/** A search also finds longer ids with the same beginning, and a page may be short although more follow. */
const mostSearchedPages = 10;

/**
 * The newest delivery that an id names: its own, or that of its body. With a body id, also how many others there are.
 *
 * @param isOnly whether deliveries to several webhooks are refused
 * @throws {CliError} `resource_not_found`; `wrong_usage` for several webhooks
 */
export async function findDelivery(
  api: ApiClient,
  id: string,
  { isOnly = false }: { readonly isOnly?: boolean } = {},
): Promise<{ readonly id: string; readonly others: number }> {
  if (id.startsWith("dlv_")) return { id, others: 0 };
  const found: Row[] = [];
  let pages = 0;
  for await (const page of listDeliveries(api, { search: id }, 100)) {
    found.push(...page.filter((row) => row["body_id"] === id));
    pages += 1;
    if (pages >= mostSearchedPages) break;
  }
  const [newest] = found;
  if (newest === undefined)
    throw new CliError(
      "resource_not_found",
      `${JSON.stringify(id)} is neither the id of a delivery (dlv_…) nor that of a body (order.paid_…). ${listsDeliveries}`,
      { exitStatus: exitStatus.negative },
    );
  const webhooks = new Map<unknown, string | undefined>();
  for (const row of found.toReversed()) webhooks.set(row["webhook_id"], textOf(row, "id"));
  if (isOnly && webhooks.size > 1)
    throw ownError(
      "wrong_usage",
      `${JSON.stringify(id)} was sent to ${webhooks.size} webhooks. Name one of its deliveries: ${[...webhooks.values()].join(", ")}.`,
    );
  return { id: textOf(newest, "id") ?? "", others: found.length - 1 };
}

/** A delivery with its attempts. */
export function getDelivery(api: ApiClient, id: string): Promise<Row> {
  return api.send({
    method: "GET",
    path: `/developer/v1/deliveries/${encodeURIComponent(id)}`,
    ifMissing: listsDeliveries,
  });
}

/** Creates a new delivery of the same event. */
export function resendDelivery(api: ApiClient, id: string): Promise<Row> {
  return api.send({
    method: "POST",
    path: `/developer/v1/deliveries/${encodeURIComponent(id)}/resend`,
    ifMissing: listsDeliveries,
  });
}

/** An attempt takes at most 10 s. The rest is for the queue. */
const longestAttemptMs = 20_000;
const pollMs = 500;

/** Waits for the first attempt of a delivery, or until it takes too long. */
export async function waitForAttempt(
  api: ApiClient,
  id: string,
  { now, sleep }: { now(): number; sleep(milliseconds: number): Promise<void> },
): Promise<Row> {
  const deadline = now() + longestAttemptMs;
  for (;;) {
    const delivery = await getDelivery(api, id);
    if (textOf(delivery, "status") !== "pending" || rowsOf(delivery, "attempts").length > 0) return delivery;
    if (now() >= deadline) return delivery;
    await sleep(pollMs);
  }
}

/** Equal failures of the webhooks that this credential can see, those that came last first. */
export async function listIssues(
  api: ApiClient,
  { status, webhookId, since }: Pick<DeliveryFilters, "status" | "webhookId" | "since">,
): Promise<readonly Row[]> {
  const query = {
    status,
    webhook_id: webhookId,
    since: since === undefined ? undefined : toTimestamp(since),
  };
  const rows: Row[] = [];
  for await (const page of api.pages({ path: "/developer/v1/issues", query })) rows.push(...page);
  return rows;
}

/** @throws {CliError} `resource_not_found` */
export function markIssue(api: ApiClient, id: string, status: IssueStatus): Promise<Row> {
  return api.send({
    method: "PATCH",
    path: `/developer/v1/issues/${encodeURIComponent(id)}`,
    body: { status },
    ifMissing: listsIssues,
  });
}

export interface RecoveryRequest {
  readonly webhookId: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly missed: boolean;
}

/** Starts a recovery: every failed or cancelled delivery since then is sent again. */
export function startRecovery(api: ApiClient, { webhookId, since, missed }: RecoveryRequest): Promise<Row> {
  return api.send({
    method: "POST",
    path: `/developer/v1/webhooks/${encodeURIComponent(webhookId)}/recoveries`,
    body: { since: toTimestamp(since), ...(missed ? { missed } : {}) },
    ifMissing: listsWebhooks,
  });
}

/**
 * Turns a webhook on. A job then sends what it did not accept since it was paused or disabled.
 *
 * @throws {CliError} `resource_not_found`; `invalid_state` if it is active
 */
export async function turnOnAndRecover(api: ApiClient, webhookId: string): Promise<Row> {
  try {
    return await api.send({
      method: "POST",
      path: "/developer/v1/resends",
      body: { filter: { webhook_ids: [webhookId] }, turn_on: true },
    });
  } catch (error) {
    if (!(error instanceof CliError) || !["invalid_state", "validation_failed"].includes(error.code))
      throw error;
    // The server names a field of the request.
    const { status } = await expectWebhook(api, webhookId);
    if (status !== "active") throw error;
    const message = `webhook ${webhookId} is active already. To send again what it did not accept, replace --turn-on by --since AGE.`;
    throw new CliError("invalid_state", message, { exitStatus: error.exitStatus });
  }
}

export function getRecovery(api: ApiClient, id: string): Promise<Row> {
  return api.send({ method: "GET", path: `/developer/v1/recoveries/${encodeURIComponent(id)}` });
}

export interface ResendRequest {
  /** Of `failed` and `cancelled`. Empty: only what was not sent. */
  readonly statuses: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Only deliveries with the failure of this issue. */
  readonly issue?: string | undefined;
  readonly webhookId?: string | undefined;
  readonly event?: string | undefined;
  readonly site?: string | undefined;
  /** Also events that were published while their webhook was paused or disabled. */
  readonly isNotSent: boolean;
}

/** Starts a job that sends again all deliveries that match. A dry run only counts them. */
export async function startResend(
  api: ApiClient,
  { statuses, since, issue, webhookId, event, site, isNotSent }: ResendRequest,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<Row> {
  const filter = {
    ...(statuses.length > 0 && { statuses }),
    ...(since !== undefined && { since: toTimestamp(since) }),
    ...(issue !== undefined && { issue }),
    ...(webhookId !== undefined && { webhook_ids: [webhookId] }),
    ...(event !== undefined && { event }),
    ...(site !== undefined && { project_id: site }),
  };
  const started = await api.send({
    method: "POST",
    path: "/developer/v1/resends",
    body: { filter, ...(isNotSent && { not_sent: true }), ...(isDryRun && { dry_run: true }) },
  });
  if (isDryRun && started["found"] === 0 && started["complete"] !== false)
    await expectNames(api, { webhookId, event });
  return started;
}

/** A job that sends again, or a recovery. */
export function getResend(api: ApiClient, id: string): Promise<Row> {
  return api.send({ method: "GET", path: `/developer/v1/resends/${encodeURIComponent(id)}` });
}

export interface TriggerRequest {
  readonly event: string;
  readonly site?: string | undefined;
  readonly data?: Row | undefined;
  /** Whether the delivery is marked as a test. */
  readonly isTest: boolean;
}

/** Sends a realistic event to the listeners of the account. */
export function triggerEvent(api: ApiClient, { event, site, data, isTest }: TriggerRequest): Promise<Row> {
  const sent = api.send({
    method: "POST",
    path: "/developer/v1/trigger",
    body: {
      event,
      ...(site === undefined ? {} : { project_id: site }),
      // A field that the event does not have is a mistake of the person.
      ...(data === undefined ? {} : { data, strict: true }),
      // Receivers do not act on tests.
      test: isTest,
    },
  });
  return sent.catch((error: unknown) => explainUnknown(api, error, { events: [event], site }));
}

export interface ListenerRequest {
  /** Names such as `order.paid` or `order.*`. Empty for all events. */
  readonly events: readonly string[];
  readonly site: string | undefined;
  /** The signing secret. Undefined: a new one. */
  readonly secret: string | undefined;
}

export function createListener(api: ApiClient, { events, site, secret }: ListenerRequest): Promise<Row> {
  const created = api.send({
    method: "POST",
    path: "/developer/v1/listeners",
    body: {
      ...(events.length > 0 ? { events } : {}),
      ...(site === undefined ? {} : { project_id: site }),
      ...(secret === undefined ? {} : { signing_secret: secret }),
    },
    // A listener that the server has created must be deleted, even if Ctrl-C comes before the response.
    isAwaited: true,
  });
  return created.catch((error: unknown) => explainUnknown(api, error, { events, site }));
}

/**
 * Names what exists, if the server refuses an unknown event or site.
 *
 * @throws always
 */
async function explainUnknown(
  api: ApiClient,
  error: unknown,
  { events, site = "" }: { readonly events: readonly string[]; readonly site: string | undefined },
): Promise<never> {
  if (!(error instanceof CliError)) throw error;
  const { code } = error;
  if (code === "unknown_event") {
    const known = await readTexts(api, "/v1/event-types", "event");
    const patterns = [...new Set(known.map((name) => name.replace(/\..*$/u, ".*")))];
    const unknown = events.find((name) => !known.includes(name) && !patterns.includes(name));
    if (unknown !== undefined && known.length > 0)
      throw unknownEvent(unknown, known, unknown.endsWith("*") ? patterns : known);
  }
  if (code === "invalid_project" && site !== "") {
    const known = await readTexts(api, "/v1/projects", "id");
    if (known.length > 0) {
      const message = `the account has no site ${JSON.stringify(site)}${suggest(site, known, "")}. The sites are: ${known.join(", ")}.`;
      throw new CliError(code, message, { exitStatus: error.exitStatus });
    }
  }
  throw error;
}

/** A field of the first rows of a list. Empty if it cannot be read: the refusal itself must be shown. */
async function readTexts(api: ApiClient, path: string, name: string): Promise<readonly string[]> {
  try {
    for await (const rows of api.pages({ path, failsIfLimited: true }))
      return rows.flatMap((row) => textOf(row, name) ?? []);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
  }
  return [];
}

/** How many listeners got a triggered event. The server returns their number or their ids. */
export function countListeners(triggered: Row): number {
  const { listeners } = triggered;
  return Array.isArray(listeners) ? listeners.length : (numberOf(triggered, "listeners") ?? 0);
}

/** The account of the credential. */
export function getAccount(api: ApiClient): Promise<Row> {
  return api.send({ method: "GET", path: "/v1/me" });
}

/** The form of timestamps on the wire: whole seconds. */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/u, "Z");
}

/** Milliseconds since the epoch. */
export function createdAt(row: Row): number {
  return Date.parse(textOf(row, "created_at") ?? "");
}

/** The attempts of a delivery, oldest first. */
export function attemptsOf(delivery: Row): readonly Row[] {
  return rowsOf(delivery, "attempts");
}
