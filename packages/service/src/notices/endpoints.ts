import {
  addWebhook,
  createDelivery,
  findWebhook,
  readWebhookGuard,
  removeWebhooks,
  replaceTarget,
  toFirstChecks,
  toNotification,
  toQueueMutations,
} from "@hookwright/delivery";
import type { DeliveryRow, WebhookRow, Worker } from "@hookwright/delivery";
import { HookwrightError, parseTargetUrl } from "@hookwright/domain";
import type { Notice } from "@hookwright/domain";
import { createHash } from "node:crypto";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { noticeMessageLifetimeMs, renderNoticeMessage } from "../rows/notice-message-row.ts";
import { createSigningSecret } from "../secrets/signing.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { toChatBody, toPostBody } from "./notice-body.ts";

/*
 * A URL that gets notices is a webhook of an owner that is no account, so nobody lists it and its deliveries are signed, retried and logged
 * by the ordinary engine. They have the kind `notice` and change no counters: a URL for notices is never switched off. A 410 removes it.
 */

/** The event in the keys of the URLs for notices. */
const event = "notice";

type Context = Pick<
  ServiceContext,
  "store" | "now" | "newId" | "randomBytes" | "signing" | "targetPolicy" | "worker"
>;

/** @throws HookwrightError `invalid_target_url`, as for webhooks */
export function expectUrl({ targetPolicy }: Pick<Context, "targetPolicy">, name: string, url: string): void {
  const verdict = parseTargetUrl(url, targetPolicy);
  if (!verdict.ok) throw new HookwrightError("invalid_target_url", `${name}: ${verdict.reason}`);
}

/** Creates an endpoint. */
export async function createEndpoint(
  context: Context,
  owner: string,
  url: string,
): Promise<{ readonly id: string; readonly signingSecret: string }> {
  const { store, now, newId, randomBytes, signing } = context;
  const createdAt = now();
  const row: WebhookRow = {
    id: newId("wh"),
    event,
    target_url: url,
    project_id: null,
    status: "active",
    created_at: createdAt,
    created_by: { type: "console", key_id: null, name: null, integration: false },
  };
  const signingSecret = createSigningSecret(randomBytes);
  const secrets = { webhook_id: row.id, current: await signing.seal(signingSecret, row.id), pending: null };
  return commitUntilDone(store, partitionOf(owner), async () => ({
    commit: addWebhook(await readWebhookGuard(store, owner), row, secrets),
    result: { id: row.id, signingSecret },
  }));
}

/** Changes the URL, and keeps the secret. False: a 410 has removed the endpoint. */
export async function moveEndpoint(
  { store }: Pick<Context, "store">,
  owner: string,
  id: string,
  url: string,
): Promise<boolean> {
  return commitUntilDone(store, partitionOf(owner), async () => {
    const guard = await readWebhookGuard(store, owner);
    const stored = await findWebhook(store, owner, id);
    if (stored === undefined) return { result: false };
    return { commit: replaceTarget(guard, stored, { ...stored.row, target_url: url }), result: true };
  });
}

/** Removes an endpoint, if there is one. Its pending deliveries are cancelled. */
export async function removeEndpoint(
  { store, worker, now }: Pick<Context, "store" | "worker" | "now">,
  owner: string,
  id: string,
): Promise<void> {
  const removal = await commitUntilDone(store, partitionOf(owner), async () => {
    const guard = await readWebhookGuard(store, owner);
    const stored = await findWebhook(store, owner, id);
    if (stored === undefined) return { result: undefined };
    const removal = await removeWebhooks(store, guard, [stored.row], { reason: "person", now: now() });
    const { checks, mutations, notify } = removal;
    return { commit: { checks: [...checks, stored.check], mutations, notify }, result: removal };
  });
  removal?.endpoints.forEach((endpoint) => worker.webhookChanged(endpoint));
}

export interface QueueOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly worker: Pick<Worker, "delivers" | "offer">;
}

/** Queues a notice for an endpoint. It may be repeated: the delivery has the same id, so it is queued once. */
export async function queueNotice(
  { store, now, worker }: QueueOptions,
  notice: Notice,
  to: { readonly owner: string; readonly id: string; readonly isChat: boolean },
): Promise<void> {
  const { owner, id } = to;
  const webhook = await findWebhook(store, owner, id);
  if (webhook === undefined) return;
  const { row } = webhook;
  const delivery = createDelivery({
    id: toDeliveryId(notice.id, id),
    webhook: row,
    event: notice.kind,
    recordId: notice.id,
    recordArrival: 0,
    // The log needs a value.
    projectId: "-",
    kind: "notice",
    now: now(),
  });
  const body = to.isChat ? toChatBody(row.target_url, notice.message) : toPostBody(notice);
  const committed = await store.commit(partitionOf(owner), {
    checks: toFirstChecks(owner, delivery),
    mutations: [
      ...toQueueMutations(owner, delivery),
      {
        type: "set",
        key: keys.noticeMessage(owner, delivery.id),
        value: renderNoticeMessage({ notice, delivery_id: delivery.id, body }),
        expiresAt: now() + noticeMessageLifetimeMs,
      },
    ],
    notify: toNotification(owner, [delivery]),
  });
  if (committed.ok) offer(worker, owner, delivery);
}

function offer(worker: QueueOptions["worker"], owner: string, delivery: DeliveryRow): void {
  if (worker.delivers(owner)) worker.offer(owner, [delivery]);
}

/** The same for the same notice and endpoint, and in the order of the notices. */
function toDeliveryId(noticeId: string, webhookId: string): string {
  const tail = createHash("sha256").update(`${noticeId} ${webhookId}`).digest("hex").slice(0, 12);
  return `dlv_${noticeId.slice("ntc_".length, -tail.length)}${tail}`;
}
