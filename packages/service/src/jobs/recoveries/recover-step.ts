import { createDelivery, findWebhook, readWaiting, toQueueMutations } from "@hookwright/delivery";
import type { DeliveryRow, Worker } from "@hookwright/delivery";
import type { IdPrefix, OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import { mayDeliver, parseAccountRow } from "../../rows/account-row.ts";
import { keys } from "../../rows/keys.ts";
import { renderRecordRow } from "../../rows/record-row.ts";
import { endRecovery, parseRecoveryRow, toRecoveryMutations } from "../../rows/recovery-row.ts";
import type { RecoveryRow } from "../../rows/recovery-row.ts";
import { rescanIfUnknown } from "../../store/commit-until-done.ts";
import { countMatches } from "./count-matches.ts";
import { findMatches } from "./find-matches.ts";
import type { Match, MatchPage } from "./find-matches.ts";
import type { RecoveryContext } from "./read-records.ts";

export interface RecoverStepOptions extends RecoveryContext {
  readonly worker: Pick<Worker, "fence" | "offer" | "rescan">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: (prefix: IdPrefix) => string;
  /** The recovery waits while its webhook has more pending deliveries. */
  readonly maximumPending: number;
  readonly onError: OnError;
}

/** A running recovery, as its row of running ones names it. */
export interface RunningRecovery {
  readonly accountId: string;
  readonly id: string;
  /** The row of running ones. */
  readonly runningKey: Key;
}

/** `more`: another step may follow at once. `wait`: the webhook has enough pending deliveries. */
export type StepResult = "more" | "wait" | "ended";

/** Deliveries created at once. */
const batchSize = 50;
/** The records of a batch that has more than one have at most this size together. */
const maximumCharacters = 2 * 1024 * 1024;
/** A record that changes all the time must not keep the others. A batch of one is smaller than this. */
const conflictsBeforeOne = 2;
const maximumConflicts = 20;

/**
 * Does the next part of a recovery: one commit that creates deliveries and moves its position. The commit checks the lease, the recovery,
 * the account, the webhook and each record, so a crash, another process or a concurrent resend repeats nothing.
 *
 * @throws Error if the recovery cannot continue now. Nothing is lost
 */
export async function recoverStep(
  options: RecoverStepOptions,
  { accountId, id, runningKey }: RunningRecovery,
): Promise<StepResult> {
  const { store, events, worker, onError } = options;
  const key = keys.recovery(accountId, id);
  for (let conflicts = 0; conflicts < maximumConflicts; conflicts++) {
    const fence = worker.fence(accountId);
    if (fence === undefined) return "wait";
    const text = await store.get(key);
    if (text === undefined) {
      // Without its row it would keep others of the webhook from starting forever.
      await store.commit(partitionOf(accountId), {
        checks: [fence, { key: runningKey, value: id }],
        mutations: [{ type: "delete", key: runningKey }],
      });
      return "ended";
    }
    const before = parseRecoveryRow(text);
    if (before.status !== "running") return "ended";
    const sender = await readSender(store, accountId, before);
    const checks = [fence, { key, value: text }, ...sender.checks];
    const step =
      sender.webhook === undefined
        ? {
            recovery: endRecovery(before, "stopped", options.now()),
            deliveries: [],
            checks: [],
            mutations: [],
          }
        : before.stage === "count"
          ? {
              recovery: await countMatches({ store, events, accountId, recovery: before, onError }),
              ...nothing,
            }
          : await prepareBatch(options, accountId, before, {
              webhook: sender.webhook,
              limit: conflicts < conflictsBeforeOne ? batchSize : 1,
            });
    if (step === "wait") return "wait";
    const { recovery, deliveries } = step;
    const commit = {
      checks: [...checks, ...step.checks],
      mutations: [...step.mutations, ...toRecoveryMutations(accountId, recovery)],
    };
    const { ok } = await rescanIfUnknown(options, accountId, store.commit(partitionOf(accountId), commit));
    if (!ok) continue;
    if (deliveries.length > 0) worker.offer(accountId, deliveries);
    return recovery.status === "running" ? "more" : "ended";
  }
  throw new Error(`recovery ${id} could not continue: the records of its deliveries change all the time`);
}

interface Batch {
  readonly recovery: RecoveryRow;
  readonly deliveries: readonly DeliveryRow[];
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}

const nothing = { deliveries: [], checks: [], mutations: [] } as const;

type Webhook = NonNullable<Awaited<ReturnType<typeof findWebhook>>>["row"];

/** The webhook, if it may send. Otherwise `undefined`: the recovery stops. */
async function readSender(
  store: Store,
  accountId: string,
  recovery: RecoveryRow,
): Promise<{ readonly webhook: Webhook | undefined; readonly checks: readonly Check[] }> {
  const accountKey = keys.account(accountId);
  const [account, webhook] = await Promise.all([
    store.get(accountKey),
    findWebhook(store, accountId, recovery.webhook_id),
  ]);
  if (account === undefined || webhook === undefined || webhook.row.status !== "active")
    return { webhook: undefined, checks: [] };
  if (!mayDeliver(parseAccountRow(account))) return { webhook: undefined, checks: [] };
  return { webhook: webhook.row, checks: [{ key: accountKey, value: account }, webhook.check] };
}

/** The next deliveries, or `wait` while the webhook has enough pending ones. */
async function prepareBatch(
  { store, events, now, newId, maximumPending }: RecoverStepOptions,
  accountId: string,
  before: RecoveryRow,
  { webhook, limit }: { readonly webhook: Webhook; readonly limit: number },
): Promise<Batch | "wait"> {
  const address = { accountId, event: before.event, webhookId: before.webhook_id };
  const { count: pending } = await readWaiting(store, address, maximumPending);
  if (pending > maximumPending - batchSize) return "wait";
  const page = await findSmallPage({ store, events }, accountId, before, limit);
  const createdAt = now();
  const created = page.matches.map((match) => {
    const { kind, event, recordId, projectId, record, resentFrom, missedAt } = match;
    const { arrival: recordArrival } = record.head;
    const id = newId("dlv");
    const delivery = createDelivery({
      id,
      webhook,
      event,
      recordId,
      recordArrival,
      projectId,
      kind,
      resentFrom,
      missedAt,
      now: createdAt,
    });
    return { delivery, match };
  });
  const moved = { ...before, resent: before.resent + created.length, position: page.next };
  return {
    recovery: page.next.list === "end" ? endRecovery(moved, "finished", createdAt) : moved,
    deliveries: created.map(({ delivery }) => delivery),
    checks: created.map(({ match: { recordKey, recordText } }) => ({ key: recordKey, value: recordText })),
    mutations: [
      ...created.flatMap(({ delivery, match }) => {
        // Several events of one record may be in a batch.
        const { length: resends } = page.matches.filter(({ recordText }) => recordText === match.recordText);
        return toMutations(accountId, delivery, match, resends);
      }),
      ...page.handled.map((key): Mutation => ({ type: "delete", key })),
    ],
  };
}

/** A page whose records fit into one commit. */
async function findSmallPage(
  context: RecoveryContext,
  accountId: string,
  recovery: RecoveryRow,
  limit: number,
): Promise<MatchPage> {
  for (let size = limit; ;) {
    const page = await findMatches(context, accountId, recovery, size);
    const characters = page.matches.reduce((sum, { recordText }) => sum + recordText.length, 0);
    if (characters <= maximumCharacters || size === 1) return page;
    size = Math.max(1, Math.floor((size * maximumCharacters) / (2 * characters)));
  }
}

/** As a resend, it writes the row of the record: a concurrent change of the record then fails its check. */
function toMutations(
  accountId: string,
  delivery: DeliveryRow,
  { record, recordKey, recordId, resentFrom }: Match,
  resends: number,
): Mutation[] {
  const head = { ...record.head, resends: record.head.resends + resends };
  return [
    { type: "set", key: recordKey, value: renderRecordRow({ ...record, head }, record) },
    ...toQueueMutations(accountId, delivery),
    {
      type: "set",
      key: keys.deliveryOfRecord(accountId, recordId, delivery.id),
      value: resentFrom?.id ?? "",
    },
  ];
}
