import {
  addWebhook,
  createDelivery,
  findWebhook,
  listWebhooks,
  readWebhookGuard,
  removeWebhooks,
  replaceTarget,
  toFirstChecks,
  toNotification,
  toQueueMutations,
} from "@hookwright/delivery";
import type { DeliveryRow, WebhookRow, Worker } from "@hookwright/delivery";
import { HookwrightError, parseTargetUrl } from "@hookwright/domain";
import type { BodyForm, Notice } from "@hookwright/domain";
import { createHash } from "node:crypto";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { noticeMessageLifetimeMs, renderNoticeMessage } from "../rows/notice-message-row.ts";
import { createSigningSecret } from "../secrets/signing.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { toChatBody, toPostBody } from "./notice-body.ts";
import { toPage } from "./notice-mail.ts";

/*
 * A URL that gets notices is a webhook of an owner that is no account, so nobody lists it and its deliveries are signed, retried and logged
 * by the ordinary engine. They have the kind `notice` and change no counters: a URL for notices is never switched off. A 410 removes it.
 */

/** The event in the keys of the URLs for notices. */
const event = "notice";
/** More than an owner may have. */
const maximumEndpoints = 100;

type Context = Pick<
  ServiceContext,
  "store" | "now" | "newId" | "randomBytes" | "signing" | "targetPolicy" | "worker"
>;

/** @throws HookwrightError `invalid_target_url`, as for webhooks */
export function expectUrl({ targetPolicy }: Pick<Context, "targetPolicy">, name: string, url: string): void {
  const verdict = parseTargetUrl(url, targetPolicy);
  if (!verdict.ok) throw new HookwrightError("invalid_target_url", `${name}: ${verdict.reason}`);
}

async function toEndpoint(context: Context, url: string) {
  const { now, newId, randomBytes, signing } = context;
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
  return { row, secrets, signingSecret };
}

/** Creates an endpoint. */
export async function createEndpoint(
  context: Context,
  owner: string,
  url: string,
): Promise<{ readonly id: string; readonly signingSecret: string }> {
  const { store } = context;
  const { row, secrets, signingSecret } = await toEndpoint(context, url);
  return commitUntilDone(store, partitionOf(owner), async () => ({
    commit: addWebhook(await readWebhookGuard(store, owner), row, secrets),
    result: { id: row.id, signingSecret },
  }));
}

/**
 * What a commit writes that sets the URL of an endpoint and keeps its secret. Without one, or after a 410, it creates one.
 *
 * @returns `signingSecret` is undefined if it was kept
 */
export async function prepareEndpoint(context: Context, owner: string, id: string | undefined, url: string) {
  const { store } = context;
  const guard = await readWebhookGuard(store, owner);
  const stored = id === undefined ? undefined : await findWebhook(store, owner, id);
  if (stored !== undefined) {
    const part = replaceTarget(guard, stored, { ...stored.row, target_url: url });
    return { id: stored.row.id, part, signingSecret: undefined };
  }
  const { row, secrets, signingSecret } = await toEndpoint(context, url);
  return { id: row.id, part: addWebhook(guard, row, secrets), signingSecret };
}

/** Which endpoints of an owner there are: a 410 removes one. */
export async function listEndpointIds(store: Store, owner: string): Promise<ReadonlySet<string>> {
  const rows = await listWebhooks(store, owner, { limit: maximumEndpoints });
  return new Set(rows.map(({ id }) => id));
}

/** What a commit writes that removes an endpoint. Undefined: there is none. */
export async function prepareRemoval(
  { store, now }: Pick<Context, "store" | "now">,
  owner: string,
  id: string,
) {
  const guard = await readWebhookGuard(store, owner);
  const stored = await findWebhook(store, owner, id);
  if (stored === undefined) return undefined;
  const removal = await removeWebhooks(store, guard, [stored.row], { reason: "person", now: now() });
  return { ...removal, checks: [...removal.checks, stored.check] };
}

/** Removes an endpoint, if there is one. Its pending deliveries are cancelled. */
export async function removeEndpoint(
  context: Pick<Context, "store" | "worker" | "now">,
  owner: string,
  id: string,
): Promise<void> {
  const { store, worker } = context;
  const removal = await commitUntilDone(store, partitionOf(owner), async () => {
    const removal = await prepareRemoval(context, owner, id);
    if (removal === undefined) return { result: undefined };
    const { checks, mutations, notify } = removal;
    return { commit: { checks, mutations, notify }, result: removal };
  });
  removal?.endpoints.forEach((endpoint) => worker.webhookChanged(endpoint));
}

export interface QueueOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly worker: Pick<Worker, "delivers" | "offer">;
  /** @default "hookwright" */
  readonly bodyForm?: BodyForm | undefined;
  /** The URL of the console, for links in chats. @default no links */
  readonly consoleUrl?: string | undefined;
}

/** Queues a notice for an endpoint. It may be repeated: the delivery has the same id, so it is queued once. */
export async function queueNotice(
  { store, now, worker, bodyForm, consoleUrl }: QueueOptions,
  notice: Notice,
  to: { readonly owner: string; readonly id: string; readonly isChat: boolean },
): Promise<void> {
  const { owner, id } = to;
  const webhook = await findWebhook(store, owner, id);
  if (webhook === undefined) return;
  const { row } = webhook;
  const delivery = createDelivery({
    id: toDeliveryId(notice, id),
    webhook: row,
    event: notice.kind,
    recordId: notice.id,
    recordArrival: 0,
    // The log needs a value.
    projectId: "-",
    kind: "notice",
    now: now(),
  });
  const body = to.isChat
    ? toChatBody(row.target_url, notice.message, toPage(consoleUrl, notice))
    : toPostBody(notice, bodyForm);
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
function toDeliveryId({ id, created_at: createdAt }: Notice, webhookId: string): string {
  const tail = createHash("sha256").update(`${id} ${webhookId}`).digest("hex").slice(0, 12);
  const madeAt = id.slice("ntc_".length, "ntc_".length + timeDigits);
  // The row of a notice may be written long before it is due.
  const dueAt = Date.parse(createdAt).toString(16).padStart(timeDigits, "0");
  const time = dueAt > madeAt ? dueAt : madeAt;
  return `dlv_${time}${id.slice("ntc_".length + timeDigits, -tail.length)}${tail}`;
}

/** A generated id begins with its milliseconds. */
const timeDigits = 12;
