import { createDelivery, keys, settle, toWebhookRemoval } from "@hookwright/delivery";
import type { AttemptRow, DeliveryRow, LaneAddress, WebhookRow } from "@hookwright/delivery";
import { bodyId, HookwrightError, moveWebhook, sampleDeliveryBody } from "@hookwright/domain";
import type { Attempt } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { toAttempt } from "../deliveries/delivery-shape.ts";
import { expectMaySend } from "../lookups/expect-may-send.ts";
import { expectWebhookRow } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { keys as serviceKeys } from "../rows/keys.ts";
import { parseProjectRow } from "../rows/project-row.ts";
import type { ProjectRow } from "../rows/project-row.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";

/**
 * Sends a test and waits for its answer: one try with sample data under a made-up record id, signed with the secret that a
 * rotation has waiting. It is logged, and no counter of the webhook moves; but an answer of 410 removes the webhook, as it always does
 * (contract §5).
 *
 * @throws HookwrightError `resource_not_found`, `invalid_state`, `account_unavailable`, `plan_required`
 */
export async function sendTest(
  context: ServiceContext,
  accountId: string,
  webhookId: string,
): Promise<Attempt> {
  const { store, now, newId, signers, runAttempt } = context;
  await expectMaySend(store, accountId);
  const webhook = await expectWebhookRow(store, accountId, webhookId);
  if (webhook.status === "paused") {
    throw new HookwrightError("invalid_state", "A webhook that is paused sends no tests. Resume it first.");
  }
  const project = await findProject(context, accountId, webhook);
  const secretText = await store.get(keys.signingSecret(accountId, webhookId));
  // The secret goes with its webhook, which may have been removed since it was read.
  if (secretText === undefined) throw noSuch("webhook");
  const id = newId("dlv");
  const recordId = id.replace("dlv_", "test_");
  const { event } = webhook;
  const delivery = createDelivery({
    id,
    accountId,
    webhook,
    event,
    recordId,
    recordArrival: 0,
    projectId: project.id,
    kind: "test",
    now: now(),
  });
  const { data } = sampleDeliveryBody(event);
  const body = JSON.stringify({
    id: bodyId(event, recordId),
    event,
    project: { id: project.id, name: project.name, timezone: project.timezone },
    data: { ...data, id: recordId },
  });
  const { sign } = signers.forTests(secretText, webhookId);
  const attempt = await runAttempt({ accountId, delivery, targetUrl: webhook.target_url, body, sign });
  const tested = await record(context, accountId, webhook, delivery, attempt);
  context.onTest?.(accountId, tested, attempt);
  return toAttempt(delivery, attempt, body);
}

/** The webhook's own site, or the account's oldest. */
async function findProject(
  { store }: ServiceContext,
  accountId: string,
  { project_id: projectId }: WebhookRow,
): Promise<ProjectRow> {
  const id = projectId ?? (await findOldestProjectId(store, accountId));
  const text = id === undefined ? undefined : await store.get(serviceKeys.project(accountId, id));
  if (text !== undefined) return parseProjectRow(text);
  throw new HookwrightError(
    "invalid_state",
    "The account has no site that a test could come from. Add one first.",
  );
}

async function findOldestProjectId(
  store: ServiceContext["store"],
  accountId: string,
): Promise<string | undefined> {
  const [oldest] = await store.list({ prefix: serviceKeys.projectList(accountId), limit: 1 });
  const id = oldest?.key.at(-1);
  return typeof id === "string" ? id : undefined;
}

async function record(
  { store, now, random, scheduler }: ServiceContext,
  accountId: string,
  { id: webhookId, event }: WebhookRow,
  delivery: DeliveryRow,
  attempt: AttemptRow,
): Promise<DeliveryRow> {
  const lane: LaneAddress = { accountId, event, webhookId };
  const { mutations, delivery: tested } = settle(
    { lane, place: { type: "fresh" }, delivery, endedAt: now(), outcome: { type: "attempted", attempt } },
    { retryDelaysSeconds: [], random, webhookRemoved: false },
  );
  const logged: Mutation[] = [
    ...mutations,
    { type: "set", key: keys.deliveryOfRecord(accountId, delivery.record_id, delivery.id), value: "" },
  ];
  const key = keys.webhook(accountId, event, webhookId);
  const guardKey = keys.webhookGuard(accountId);
  const removed = await commitUntilDone(store, key[0], async () => {
    const [stored, guard] = await store.getMany([key, guardKey]);
    const row: WebhookRow | undefined = stored === undefined ? undefined : JSON.parse(stored);
    const goes = attempt.status === 410 && row !== undefined && moveWebhook(row.status, "gone").ok;
    return {
      commit: goes
        ? {
            checks: [
              { key, value: stored },
              { key: guardKey, value: guard },
            ],
            mutations: [...logged, ...toWebhookRemoval(lane, guard)],
            wake: true,
          }
        : { mutations: logged },
      result: goes,
    };
  });
  if (removed) scheduler.wake(lane);
  return tested;
}
