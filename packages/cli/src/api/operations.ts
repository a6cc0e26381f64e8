import { numberOf, rowsOf, textOf } from "./fields.ts";
import type { ApiClient } from "./api-client.ts";
import type { Row } from "./fields.ts";

export interface DeliveryFilters {
  readonly status?: string | undefined;
  readonly webhookId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** The webhooks that this credential can see, newest first. */
export async function listWebhooks(api: ApiClient): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of api.pages({ path: "/developer/v1/webhooks", query: { limit: "100" } }))
    rows.push(...page);
  return rows;
}

/**
 * Pages of deliveries, newest first, back to `since`.
 *
 * @param beforePage awaited before each request
 */
export async function* listDeliveries(
  api: ApiClient,
  { status, webhookId, since }: DeliveryFilters,
  pageSize: number,
  beforePage?: () => Promise<void>,
): AsyncGenerator<readonly Row[]> {
  const query = {
    limit: String(pageSize),
    status,
    webhook_id: webhookId,
    since: since === undefined ? undefined : toTimestamp(since),
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

/** A delivery with its attempts. */
export function getDelivery(api: ApiClient, id: string): Promise<Row> {
  return api.send({ method: "GET", path: `/developer/v1/deliveries/${encodeURIComponent(id)}` });
}

/** Creates a new delivery of the same event. */
export function resendDelivery(api: ApiClient, id: string): Promise<Row> {
  return api.send({ method: "POST", path: `/developer/v1/deliveries/${encodeURIComponent(id)}/resend` });
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
  });
}

export function getRecovery(api: ApiClient, id: string): Promise<Row> {
  return api.send({ method: "GET", path: `/developer/v1/recoveries/${encodeURIComponent(id)}` });
}

export interface TriggerRequest {
  readonly event: string;
  readonly site?: string | undefined;
  readonly data?: Row | undefined;
}

/** Sends a realistic event to the listeners of the account. */
export function triggerEvent(api: ApiClient, { event, site, data }: TriggerRequest): Promise<Row> {
  return api.send({
    method: "POST",
    path: "/developer/v1/trigger",
    body: {
      event,
      ...(site === undefined ? {} : { project_id: site }),
      ...(data === undefined ? {} : { data }),
    },
  });
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
