import {
  createDelivery,
  endDelivery,
  eventsOf,
  findWebhook,
  readSigningSecrets,
  readWebhookGuard,
  readWebhookHealth,
  receives,
  removeWebhooks,
  replaceRow,
  toGoneNotice,
  toLoggedAttempt,
} from "@hookwright/delivery";
import type { AttemptRow, DeliveryRow, WebhookRow } from "@hookwright/delivery";
import {
  HookwrightError,
  moveWebhook,
  parseInput,
  testInputSchema,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { Attempt, EventRegistry, RegisteredEvent, TestInput } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Mutation } from "@hookwright/storage";
import { commitAuditEntry } from "../audit/commit-audited.ts";
import { toHappened } from "../notices/to-happened.ts";
import type { ChangeOrigin } from "../use-cases.ts";
import type { ServiceContext } from "../context.ts";
import { expectBody } from "../deliveries/read-bodies.ts";
import { toAttempt } from "../rows/delivery-shape.ts";
import { expectEvent } from "../lookups/expect-event.ts";
import { expectMaySend } from "../lookups/read-account.ts";
import { expectDelivery } from "../lookups/find-deliveries.ts";
import { findOldestProject, findProject } from "../lookups/find-project.ts";
import { expectPresentWebhook } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { isVerified } from "../lookups/read-webhooks.ts";
import { readWritten } from "../publishing/read-written.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import type { ProjectRow } from "../rows/project-row.ts";
import { renderBody } from "../rows/render-body.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";

export interface SendTestOptions {
  /** What to send, see `testInputSchema`. @default a sample of the first event of the webhook */
  readonly body: unknown;
  readonly origin: ChangeOrigin | undefined;
  readonly signal: AbortSignal;
  /** Whether the operator asks, who may also test a webhook that it has disabled. @default false */
  readonly isOperator?: boolean;
}

/**
 * Sends a test and waits for the response: one attempt with sample data under a generated record id, or with what a
 * delivery sent. During a rotation it is signed with
 * the pending secret. It is logged and changes no counters. The first one that is accepted verifies the webhook. A response of 410 removes the webhook, as for every delivery (contract: Deliveries).
 *
 * @throws HookwrightError `resource_not_found`, `invalid_state`, `account_unavailable`, `plan_required`, `unknown_event`,
 * `validation_failed`
 */
export async function sendTest(
  context: ServiceContext,
  accountId: string,
  webhookId: string,
  { body: input, origin, signal, isOperator = false }: SendTestOptions,
): Promise<Attempt> {
  const { store, now, newId, signing, testSender } = context;
  const { delivery_id: deliveryId, ...asked } = parseInput(testInputSchema, withoutEmpty(input ?? {}));
  const account = parseAccountRow(await expectMaySend(store, accountId));
  const { row: webhook } = await expectPresentWebhook(store, accountId, webhookId);
  if (webhook.status === "paused") await expectUnverified(context, accountId, webhook);
  // The operator tests an endpoint before enabling its webhook.
  if (webhook.status === "disabled_by_host" && !isOperator)
    throw new HookwrightError(
      "invalid_state",
      `The operator has disabled this webhook, so it sends no tests. Reason: ${webhook.disabled?.reason}`,
    );
  const id = newId("dlv");
  const { body, ...content } = await (deliveryId === undefined
    ? renderSample(context, accountId, webhook, { ...asked, recordId: id.replace("dlv_", "test_") })
    : readSent(context, accountId, webhook, deliveryId));
  const [secrets] = await readSigningSecrets(store, accountId, [webhookId]);
  // The webhook may have been removed since it was read, and its secrets with it.
  if (secrets === undefined) throw noSuch("webhook");
  const delivery = createDelivery({
    ...content,
    id,
    webhook,
    recordArrival: 0,
    kind: "test",
    now: now(),
    traceParent: context.traceParent(),
  });
  const sign = signing.openTestSigner(secrets.row);
  const extraHeaders = signing.openExtraHeaders(secrets.row);
  const targetUrl = webhook.target_url;
  // Before the attempt: a process that is killed meanwhile may have sent it.
  await commitAuditEntry(context, partitionOf(accountId), origin, {
    action: "webhook.tested",
    accountId,
    target: { kind: "webhook", id: webhookId },
  });
  const attempt = await testSender.runAttempt({
    accountId,
    delivery,
    targetUrl,
    body,
    sign,
    extraHeaders,
    signal,
  });
  const isTested = typeof webhook.test_accepted_at === "number";
  const logged = toLoggedAttempt(attempt, account.retention?.bodies ?? context.keptBodies);
  const tested = await record(context, accountId, { isTested, delivery, attempt: logged });
  testSender.onTest?.(accountId, tested, attempt);
  return toAttempt(delivery, attempt, body);
}

/**
 * A webhook that is created paused is tested before it goes live.
 *
 * @throws HookwrightError `invalid_state`
 */
async function expectUnverified(
  { store }: ServiceContext,
  accountId: string,
  webhook: WebhookRow,
): Promise<void> {
  const [health] = await readWebhookHealth(store, accountId, [webhook.id]);
  if (await isVerified(store, accountId, { ...webhook, ...health }))
    throw new HookwrightError(
      "invalid_state",
      "A webhook that is paused sends no tests once it has accepted one, or a delivery. Resume it first.",
    );
}

/** What a test sends. */
interface TestContent {
  readonly event: string;
  readonly recordId: string;
  readonly projectId: string;
  /** The exact text. */
  readonly body: string;
}

/**
 * The sample of an event, or what the caller wrote in its place, under an id that no record has.
 *
 * @throws HookwrightError `unknown_event`, `validation_failed`, `invalid_state`
 */
async function renderSample(
  context: ServiceContext,
  accountId: string,
  webhook: WebhookRow,
  { event: asked, data, recordId }: Pick<TestInput, "event" | "data"> & { readonly recordId: string },
): Promise<TestContent> {
  const { events, now, schemaTime, bodyForm } = context;
  const known = chooseEvent(events, webhook, asked);
  const { event, sample } = known.type;
  const project = await findProjectOf(context, accountId, webhook);
  const options = { written: data ?? {}, project, now: now() };
  const sent =
    data === undefined
      ? sample.data
      : schemaTime.run(accountId, () => readWritten(known, { id: sample.data.id, ...data }, options));
  const json = JSON.stringify({ ...sent, id: recordId });
  const publishedAt = (webhook.body_form ?? bodyForm) === "standard" ? now() : undefined;
  const body = renderBody({ event, recordId, project, json, publishedAt });
  return { event, recordId, projectId: project.id, body };
}

/**
 * What a delivery sent last. A webhook must not get in a test what it would not get otherwise.
 *
 * @throws HookwrightError `resource_not_found`; `invalid_state` if it has sent nothing, or the log has no body of it; `validation_failed` if its event or its site is
 * not one of the webhook
 */
async function readSent(
  context: ServiceContext,
  accountId: string,
  webhook: WebhookRow,
  deliveryId: string,
): Promise<TestContent> {
  const row = await expectDelivery(context.store, accountId, deliveryId);
  const { event, record_id: recordId, project_id: projectId } = row;
  if (!receives(webhook, event)) throw validationFailed([`delivery_id: the webhook does not get ${event}`]);
  if (webhook.project_id !== null && webhook.project_id !== projectId)
    throw validationFailed([`delivery_id: the webhook does not get events of the site ${projectId}`]);
  const attempt = row.attempts.at(-1);
  if (attempt === undefined)
    throw new HookwrightError(
      "invalid_state",
      "No attempt of this delivery was made, so there is no body to send again. Choose another one.",
    );
  return { event, recordId, projectId, body: await expectBody(context, accountId, row, attempt) };
}

/**
 * The event of a test.
 *
 * @throws HookwrightError `unknown_event`; `validation_failed` if the webhook does not get it; `invalid_state` if none of its events
 * exists
 */
function chooseEvent(events: EventRegistry, webhook: WebhookRow, asked: string | undefined): RegisteredEvent {
  if (asked !== undefined) {
    const known = expectEvent(events, asked, "event");
    if (receives(webhook, asked)) return known;
    throw validationFailed([`event: the webhook does not get ${asked}`]);
  }
  const names = eventsOf(webhook);
  const candidates = names.includes("*") ? events.names : names;
  for (const name of candidates) {
    const known = events.find(name);
    if (known !== undefined) return known;
  }
  throw new HookwrightError(
    "invalid_state",
    names.includes("*")
      ? "The server has no events yet, so there is nothing to test."
      : `There are no more events ${names.join(", ")}, so there is nothing to test. Remove the webhook.`,
  );
}

/** The project of the webhook, or the oldest one of the account. */
async function findProjectOf(
  { store }: ServiceContext,
  accountId: string,
  { project_id: projectId }: WebhookRow,
): Promise<ProjectRow> {
  const project = await (projectId === null
    ? findOldestProject(store, accountId)
    : findProject(store, accountId, projectId));
  if (project !== undefined) return project;
  throw new HookwrightError(
    "invalid_state",
    "The account has no site that a test could come from. Add one first.",
  );
}

interface MadeTest {
  /** Whether an earlier test was accepted. */
  readonly isTested: boolean;
  readonly delivery: DeliveryRow;
  readonly attempt: AttemptRow;
}

/** Logs the test. In the same commit, the first acceptance verifies the webhook, and a response of 410 removes it. */
async function record(
  context: ServiceContext,
  accountId: string,
  { isTested, delivery, attempt }: MadeTest,
): Promise<DeliveryRow> {
  const { store, now, worker, testSender } = context;
  const { delivery: tested, mutations } = endDelivery({ accountId, delivery, attempt, endedAt: now() });
  const logged: Mutation[] = [
    ...mutations,
    { type: "set", key: keys.deliveryOfRecord(accountId, delivery.record_id, delivery.id), value: "" },
  ];
  const isAccepted = attempt.error === null;
  const gone = await commitUntilDone(store, partitionOf(accountId), async () => {
    const onlyLog = { commit: { mutations: logged }, result: undefined };
    if ((isAccepted && isTested) || (!isAccepted && attempt.status !== 410)) return onlyLog;
    const guard = await readWebhookGuard(store, accountId);
    const webhook = await findWebhook(store, accountId, delivery.webhook_id);
    if (webhook === undefined) return onlyLog;
    if (isAccepted) {
      const { checks, mutations } = replaceRow(webhook, { ...webhook.row, test_accepted_at: now() });
      return { commit: { checks, mutations: [...logged, ...mutations] }, result: undefined };
    }
    if (!moveWebhook(webhook.row.status, "gone").ok) return onlyLog;
    const removal = await removeWebhooks(store, guard, [webhook.row], { reason: "gone", now: now() });
    const notices = removal.removed.map((row) => toGoneNotice(accountId, row, attempt));
    return {
      commit: {
        checks: [...removal.checks, webhook.check],
        mutations: [
          ...logged,
          ...removal.mutations,
          ...notices.flatMap((notice) => toHappened(context, notice)),
        ],
        notify: [...removal.notify, keys.notices(accountId)],
      },
      result: { endpoints: removal.endpoints, notices },
    };
  });
  gone?.endpoints.forEach((endpoint) => worker.webhookChanged(endpoint));
  gone?.notices.forEach((notice) => testSender.onNotice?.(notice));
  return tested;
}
