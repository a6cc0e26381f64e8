import { listLoggedRows, listWaiting } from "@hookwright/delivery";
import type { WaitingDelivery, Worker } from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Commit, Key } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { readSuppression } from "../../audience/suppression-rows.ts";
import { findRecords } from "../../lookups/find-records.ts";
import { parseErasureRow, toErasureMutation } from "../../rows/erasure-row.ts";
import type { ErasureRow, ErasureWork } from "../../rows/erasure-row.ts";
import { keys, noticesOf, operator } from "../../rows/keys.ts";
import { noticeMessageLifetimeMs, parseNoticeMessage } from "../../rows/notice-message-row.ts";
import type { RunningJob, StepResult } from "../resends/resend-step.ts";
import { eraseDelivery, eraseRejected, eraseRow } from "./erase-rows.ts";
import type { EraseContext, Erased, RowChange } from "./erase-rows.ts";
import { erasureStages, prefixOf } from "./erasure-stages.ts";
import { createMentions } from "./mentions.ts";

export interface ErasureStepOptions extends EraseContext {
  readonly worker: Pick<Worker, "fence" | "hurry">;
}

/** Rows that one step reads. */
const pageSize = 100;
/** Deliveries that one step of the log reads. Their bodies are read too. */
const logPageSize = 25;
/** Each is short. All are searched for in each row. */
const maximumPrefixes = 200;
/** Requests are written to their log in groups, up to a second after their response. */
const lateWritesMs = 1_200;

/** What a step does. */
interface Step {
  readonly changes: readonly RowChange[];
  /** The last row that was read. Undefined: the stage has ended. */
  readonly next: Key | undefined;
}

/**
 * Does the next part of an erasure: one commit that erases some rows and moves its position. The commit checks the lease, the erasure and
 * each row, so a crash or another process repeats nothing and counts nothing twice.
 *
 * @throws Error if the erasure cannot continue now. Nothing is lost
 */
export async function erasureStep(
  options: ErasureStepOptions,
  { accountId, id, runningKey }: RunningJob,
): Promise<StepResult> {
  const { store, worker } = options;
  const key = keys.erasure(accountId, id);
  const partition = partitionOf(accountId);
  const fence = worker.fence(accountId);
  if (fence === undefined) return "wait";
  const text = await store.get(key);
  const before = text === undefined ? undefined : parseErasureRow(text);
  if (before?.work === undefined) {
    // Its account is being removed.
    await store.commit(partition, {
      checks: [fence, { key: runningKey, value: id }],
      mutations: [{ type: "delete", key: runningKey }],
    });
    return "ended";
  }
  const { work } = before;
  const erased = {
    accountId,
    email: work.email,
    created_at: before.created_at,
    mentions: createMentions(work.email, work.contact_ids, work.prefixes),
  };
  const step = await prepareStep(options, erased, work);
  if (step === "wait") return "wait";
  const after = advance(before, work, step, options.now());
  if (after.work === undefined && !(await eraseElsewhere(options, erased))) return "wait";
  const { ok } = await store.commit(partition, {
    checks: [fence, { key, value: text }, ...step.changes.flatMap(({ checks }) => checks)],
    mutations: [
      ...step.changes.flatMap(({ mutations }) => mutations),
      toErasureMutation(accountId, after),
      ...(after.work === undefined ? [{ type: "delete", key: runningKey } as const] : []),
    ],
  });
  // Somebody changed one of the rows meanwhile. They are read again.
  if (!ok) return "wait";
  return after.work === undefined ? "ended" : "more";
}

async function prepareStep(
  options: ErasureStepOptions,
  erased: Erased,
  { stage, position }: ErasureWork,
): Promise<Step | "wait"> {
  if (stage === "waiting") return cancelWaiting(options, erased, position);
  if (stage === "delivery") return eraseLog(options, erased, position);
  const isLast = erasureStages.indexOf(stage) > erasureStages.indexOf("delivery");
  if (isLast && options.now() < erased.created_at + lateWritesMs) return "wait";
  if (stage === "rejected-events")
    return { changes: [], next: await eraseRejected(options, erased, position) };
  return eraseTable(options, erased, stage, position);
}

async function eraseTable(
  options: EraseContext,
  erased: Erased,
  table: string,
  after: Key | undefined,
): Promise<Step> {
  const prefix = prefixOf(erased.accountId, table);
  const entries = await options.store.list({ prefix, after, limit: pageSize });
  const changes: RowChange[] = [];
  for (const entry of entries) {
    const change = await eraseRow(options, erased, table, entry);
    if (change === undefined) continue;
    changes.push(change);
    if (change.isAlone === true) return { changes, next: entry.key };
  }
  return { changes, next: entries.length < pageSize ? undefined : entries.at(-1)?.key };
}

async function eraseLog(options: EraseContext, erased: Erased, after: Key | undefined): Promise<Step> {
  const rows = await listLoggedRows(options.store, erased.accountId, { after, limit: logPageSize });
  const changes = await Promise.all(rows.map((row) => eraseDelivery(options, erased, row)));
  return {
    changes: changes.filter((change) => change !== undefined),
    next: rows.length < logPageSize ? undefined : rows.at(-1)?.key,
  };
}

/** Lets the worker cancel what waits for a record that is gone. It waits until each of these deliveries has ended, also those in flight. */
async function cancelWaiting(
  { store, events, worker }: ErasureStepOptions,
  { accountId }: Erased,
  after: Key | undefined,
): Promise<Step | "wait"> {
  const { waiting, next } = await listWaiting(store, accountId, { after, limit: pageSize });
  // Tests have no record.
  const ofRecords = waiting.filter(({ delivery }) => delivery.kind !== "test");
  const records = await findRecords(
    store,
    events,
    accountId,
    ofRecords.map(({ delivery }) => delivery),
  );
  const gone = ofRecords.filter((_, index) => records[index] === undefined);
  for (const ofWebhook of Map.groupBy(gone, ({ address }) => address.webhookId).values())
    await hurry(worker, ofWebhook);
  return gone.length > 0 ? "wait" : { changes: [], next };
}

async function hurry(worker: Pick<Worker, "hurry">, waiting: readonly WaitingDelivery[]): Promise<void> {
  const [first] = waiting;
  if (first !== undefined) await worker.hurry(first.address, waiting);
}

/** The erasure after a step. Without `work` when nothing is left. */
function advance(before: ErasureRow, work: ErasureWork, { changes, next }: Step, now: number): ErasureRow {
  const sum = (name: "contacts" | "subscribers" | "records" | "deliveries"): number =>
    changes.reduce((total, { counts }) => total + (counts?.[name] ?? 0), before[name]);
  const { work: _, ...receipt } = {
    ...before,
    contacts: sum("contacts"),
    subscribers: sum("subscribers"),
    records: sum("records"),
    deliveries: sum("deliveries"),
  };
  const contact_ids = [...work.contact_ids, ...changes.flatMap(({ contactId = [] }) => contactId)];
  const found = [...(work.prefixes ?? []), ...changes.flatMap(({ prefix = [] }) => prefix)];
  const prefixes = [...new Set(found)].slice(0, maximumPrefixes);
  const known = { ...work, contact_ids, prefixes };
  if (next !== undefined) return { ...receipt, work: { ...known, position: next } };
  const stage = erasureStages[erasureStages.indexOf(work.stage) + 1];
  if (stage === undefined) return { ...receipt, status: "finished", finished_at: now };
  return { ...receipt, work: { ...known, stage, position: undefined } };
}

/**
 * What is in other partitions: the suppression of the address, and notices that quote a response. Repeating it does no harm.
 *
 * @returns whether all is erased. If not, somebody changed a row meanwhile
 */
async function eraseElsewhere({ store, events, now }: EraseContext, erased: Erased): Promise<boolean> {
  const { accountId, email, mentions } = erased;
  const owner = noticesOf(accountId);
  let isDone = true;
  const commit = async (partition: string, change: Commit): Promise<void> => {
    const { ok } = await store.commit(partition, change);
    isDone &&= ok;
  };
  const { stored, checks, write } = await readSuppression(store, email);
  if (stored !== undefined) await commit(partitionOf(email), { checks, mutations: write(stored) });
  for (const prefix of [keys.noticeMessages(owner), keys.noticeMessages(operator)])
    for await (const page of listPages(store, { prefix }))
      for (const { key, value } of page) {
        if (!mentions.has(value) || !isMessageOf(accountId, value)) continue;
        const expiresAt = now() + noticeMessageLifetimeMs;
        const redacted = { type: "set", key, value: mentions.redact(value), expiresAt } as const;
        await commit(key[0], { checks: [{ key, value }], mutations: [redacted] });
      }
  let after: Key | undefined;
  do {
    const rows = await listLoggedRows(store, owner, { after, limit: pageSize });
    for (const row of rows) {
      const change = mentions.has(row.text)
        ? await eraseDelivery({ store, events }, { ...erased, accountId: owner }, row)
        : undefined;
      if (change !== undefined) await commit(partitionOf(owner), change);
    }
    after = rows.length < pageSize ? undefined : rows.at(-1)?.key;
  } while (after !== undefined);
  return isDone;
}

/** A damaged message is sent to nobody, so its text is erased whoever it was for. */
function isMessageOf(accountId: string, text: string): boolean {
  try {
    return parseNoticeMessage(text).notice.account_id === accountId;
  } catch {
    return true;
  }
}
