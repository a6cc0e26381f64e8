import { createDelivery, findWebhook, readWaiting, toQueueMutations } from "@hookwright/delivery";
import type { DeliveryRow, WebhookRow, Worker } from "@hookwright/delivery";
import type { IdPrefix, OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check, Key, Mutation } from "@hookwright/storage";
import type { SearchContext } from "../../lookups/search-context.ts";
import { mayDeliver, parseAccountRow } from "../../rows/account-row.ts";
import { keys } from "../../rows/keys.ts";
import { renderRecordRow } from "../../rows/record-row.ts";
import { endResend, parseResendRow, toResendMutations } from "../../rows/resend-row.ts";
import type { ResendPart, ResendRow } from "../../rows/resend-row.ts";
import { rescanIfUnknown } from "../../store/commit-until-done.ts";
import { countMatches } from "./count-matches.ts";
import { createFindNamed, findMatches } from "./find-matches.ts";
import type { Match, MatchPage, MatchQuery } from "./find-matches.ts";
import { isSending, toRecovered } from "./turn-on.ts";

export interface ResendStepOptions extends SearchContext {
  readonly worker: Pick<Worker, "fence" | "offer" | "rescan">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: (prefix: IdPrefix) => string;
  /** A job sends nothing to a webhook that has more pending deliveries. */
  readonly maximumPending: number;
  readonly onError: OnError;
}

/** A running job, as its row of running ones names it. */
export interface RunningJob {
  readonly accountId: string;
  readonly id: string;
  /** The row of running ones. */
  readonly runningKey: Key;
}

/** `more`: another step may follow at once. `wait`: the webhooks have enough pending deliveries. */
export type StepResult = "more" | "wait" | "ended";

/** Deliveries created at once. */
const batchSize = 50;
/** The records of a batch that has more than one have at most this size together. */
const maximumCharacters = 2 * 1024 * 1024;
/** A record that changes all the time must not keep the others. A batch of one is smaller than this. */
const conflictsBeforeOne = 2;
const maximumConflicts = 20;

/**
 * Does the next part of a job: one commit that creates deliveries of one webhook and moves its position. The commit checks the lease, the
 * job, the account, the webhook and each record, so a crash, another process or a concurrent resend repeats nothing.
 *
 * @throws Error if the job cannot continue now. Nothing is lost
 */
export async function resendStep(
  options: ResendStepOptions,
  { accountId, id, runningKey }: RunningJob,
): Promise<StepResult> {
  const { store, worker } = options;
  const key = keys.resend(accountId, id);
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
    const before = parseResendRow(text);
    if (before.status !== "running") return "ended";
    const limit = conflicts < conflictsBeforeOne ? batchSize : 1;
    const step = await prepareStep(options, accountId, before, limit);
    if (step === "wait") return "wait";
    const { job, deliveries } = step;
    const commit = {
      checks: [fence, { key, value: text }, ...step.checks],
      mutations: [...step.mutations, ...toResendMutations(accountId, job)],
    };
    const { ok } = await rescanIfUnknown(options, accountId, store.commit(partitionOf(accountId), commit));
    if (!ok) continue;
    if (deliveries.length > 0) worker.offer(accountId, deliveries);
    return job.status === "running" ? "more" : "ended";
  }
  throw new Error(`job ${id} could not continue: the records of its deliveries change all the time`);
}

/** What one commit of a job does. */
interface Step {
  readonly job: ResendRow;
  readonly deliveries: readonly DeliveryRow[];
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}

/** Only the job changes. */
function changeJob(job: ResendRow, checks: readonly Check[] = []): Step {
  return { job, deliveries: [], checks, mutations: [] };
}

/** The next step, or `wait` while the webhooks have enough pending deliveries. */
async function prepareStep(
  options: ResendStepOptions,
  accountId: string,
  before: ResendRow,
  limit: number,
): Promise<Step | "wait"> {
  const { store, now, maximumPending } = options;
  const accountKey = keys.account(accountId);
  const account = await store.get(accountKey);
  if (account === undefined || !mayDeliver(parseAccountRow(account)))
    return changeJob(endResend(before, "stopped", now()));
  if (before.stage === "count") return changeJob(await countMatches({ ...options, accountId, job: before }));
  for (const [index, part] of before.parts.entries()) {
    if (part.position.list === "end") continue;
    const { webhook_id: webhookId, event } = part;
    const webhook = await findWebhook(store, accountId, webhookId);
    const moveTo = (moved: ResendPart): ResendRow => movePart(before, index, moved, now());
    if (webhook === undefined || !isSending(before, webhook)) {
      const checks = webhook === undefined ? [] : [webhook.check];
      if (before.kind === "recovery") return changeJob(endResend(before, "stopped", now()), checks);
      return changeJob(moveTo({ ...part, position: { list: "end" } }), checks);
    }
    const { count: pending } = await readWaiting(store, { accountId, event, webhookId }, maximumPending);
    if (pending > maximumPending - batchSize) continue;
    const page = await findSmallPage(options, { accountId, job: before, part, limit });
    const batch = createBatch(options, accountId, webhook.row, page);
    const resent = part.resent + batch.deliveries.length;
    const recovered = page.next.list === "end" ? toRecovered(before, webhook) : [];
    return {
      ...batch,
      job: moveTo({ ...part, resent, position: page.next }),
      mutations: [...batch.mutations, ...recovered],
      checks: [{ key: accountKey, value: account }, webhook.check, ...batch.checks],
    };
  }
  return before.parts.every(({ position }) => position.list === "end")
    ? changeJob(endResend(before, "finished", now()))
    : "wait";
}

/** The job with one part moved. It finishes when all its parts have ended. */
function movePart(job: ResendRow, index: number, moved: ResendPart, now: number): ResendRow {
  const after = { ...job, parts: job.parts.with(index, moved) };
  const hasEnded = after.parts.every(({ position }) => position.list === "end");
  return hasEnded ? endResend(after, "finished", now) : after;
}

/** The deliveries of a page, and what removes the missed events that they send. */
function createBatch(
  { now, newId }: ResendStepOptions,
  accountId: string,
  webhook: WebhookRow,
  page: MatchPage,
): Omit<Step, "job"> {
  const createdAt = now();
  const created = page.matches.map((match) => {
    const { kind, event, recordId, projectId, record, resentFrom, missedAt } = match;
    const delivery = createDelivery({
      id: newId("dlv"),
      webhook,
      event,
      recordId,
      recordArrival: record.head.arrival,
      about: record.head.about?.id,
      projectId,
      kind,
      resentFrom,
      missedAt,
      now: createdAt,
    });
    return { delivery, match };
  });
  return {
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

/** It was reported when the job counted. */
const onUnreadable = (): void => {};

/** A page whose records fit into one commit. */
async function findSmallPage(
  context: SearchContext,
  query: Omit<MatchQuery, "findNamed" | "onUnreadable">,
): Promise<MatchPage> {
  const findNamed = createFindNamed(context, query.accountId, query.job);
  for (let { limit } = query; ;) {
    const page = await findMatches(context, { ...query, limit, findNamed, onUnreadable });
    const characters = page.matches.reduce((sum, { recordText }) => sum + recordText.length, 0);
    if (characters <= maximumCharacters || limit === 1) return page;
    limit = Math.max(1, Math.floor((limit * maximumCharacters) / (2 * characters)));
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
