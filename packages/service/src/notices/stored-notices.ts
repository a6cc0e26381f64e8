import { setImmediate as nextTurn } from "node:timers/promises";
import { idsSince } from "@hookwright/domain";
import type { OnError, WriteLogLine } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check, Entry, Key, Mutation, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { parseNoticeRow } from "../rows/notice-row.ts";
import type { HandOver, StoredNoticeRow } from "../rows/notice-row.ts";

/** A notice in the store, as it was read. */
export interface Stored {
  readonly key: Key;
  readonly row: StoredNoticeRow;
}

/** The lease was lost, or the rows changed too often. Nothing was stored. */
export class NotStored extends Error {
  override readonly name = "NotStored";
}

/** Of one account. More are dropped, the oldest first. */
const maximumKept = 1_000;
const pageSize = 500;
/** Clocks of two processes differ by less. */
const skewMs = 60_000;
const maximumConflicts = 5;

const nothing = { checks: [], mutations: [] };

export interface StoredNoticesOptions {
  readonly store: Store;
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  readonly log: WriteLogLine;
  readonly onError: OnError;
}

/** Reads and changes the rows of notices. */
export function createStoredNotices({ store, now, log, onError }: StoredNoticesOptions) {
  /** After the ids of all notices that may be due. */
  const firstLater = (): string => idsSince("ntc", now() + skewMs);

  /** The accounts of a partition with notices that may be due. It does not read on in an account with many. */
  async function findAccounts(partition: string): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const prefix = keys.noticesIn(partition);
    for (let after: Key | undefined; ;) {
      const entries = await store.list({ prefix, after, limit: pageSize });
      const later = firstLater();
      for (const { key } of entries) if (String(key[3]) < later) found.add(String(key[2]));
      const last = entries.at(-1);
      if (last === undefined || entries.length < pageSize) return found;
      after = keys.notice(String(last.key[2]), "ntc_~");
      await nextTurn();
    }
  }

  /** Reads what may be due, oldest first. Damaged rows, and the oldest of too many, are removed. @throws NotStored */
  async function read(accountId: string, fence: Check): Promise<readonly Stored[]> {
    const prefix = keys.notices(accountId);
    const before = keys.notice(accountId, firstLater());
    const entries = await store.list({ prefix, before, limit: 2 * maximumKept });
    const dropped = entries.slice(0, Math.max(0, entries.length - maximumKept));
    const parsed = entries
      .slice(dropped.length)
      .map((entry) => ({ entry, stored: parse(entry.key, entry.value) }));
    const damaged = parsed.flatMap(({ entry, stored }) => (stored === undefined ? [entry] : []));
    await remove(accountId, fence, [...dropped, ...damaged]);
    if (dropped.length > 0) log("notices_dropped", { account_id: accountId, count: dropped.length });
    for (const { key } of damaged)
      onError(new Error("the row of a notice is damaged"), {
        account_id: accountId,
        notice_id: String(key.at(-1)),
        code: "notices_not_read",
      });
    return parsed.flatMap(({ stored }) => stored ?? []);
  }

  async function remove(accountId: string, fence: Check, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const committed = await store.commit(partitionOf(accountId), {
      checks: [fence, ...entries.map(({ key, value }) => ({ key, value }))],
      mutations: entries.map(({ key }) => ({ type: "delete", key })),
    });
    if (!committed.ok) throw new NotStored();
  }

  /**
   * Changes the recipients that are left, also if the rows changed since they were read. A notice without recipients is removed.
   *
   * @throws NotStored
   */
  async function change(
    accountId: string,
    fence: Check,
    notices: readonly Stored[],
    toLeft: (row: StoredNoticeRow) => readonly HandOver[],
    also: { readonly checks: readonly Check[]; readonly mutations: readonly Mutation[] } = nothing,
  ): Promise<void> {
    for (let conflicts = 0; conflicts < maximumConflicts; conflicts++) {
      const texts = await store.getMany(notices.map(({ key }) => key));
      const checks = [fence, ...also.checks];
      const mutations = [...also.mutations];
      notices.forEach(({ key }, index) => {
        const value = texts[index];
        const stored = value === undefined ? undefined : parse(key, value);
        if (stored === undefined) return;
        const left = toLeft(stored.row);
        checks.push({ key, value });
        mutations.push(
          left.length === 0
            ? { type: "delete", key }
            : { type: "set", key, value: JSON.stringify({ ...stored.row, left }) },
        );
      });
      if (mutations.length === 0) return;
      if ((await store.commit(partitionOf(accountId), { checks, mutations })).ok) return;
    }
    throw new NotStored();
  }

  return { findAccounts, read, change };
}

export type StoredNotices = ReturnType<typeof createStoredNotices>;

function parse(key: Key, text: string): Stored | undefined {
  const row = parseNoticeRow(text);
  return row && { key, row };
}
