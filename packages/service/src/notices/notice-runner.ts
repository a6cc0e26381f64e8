import { setImmediate as nextTurn } from "node:timers/promises";
import { endsWithin, listFailedDeliveries, parseFailedDeliveries } from "@hookwright/delivery";
import type { FailedDeliveries } from "@hookwright/delivery";
import type { OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { noticeTable } from "../rows/keys.ts";
import { toFailedNotice } from "../rows/notice-row.ts";
import { createHandOver } from "./hand-over.ts";
import type { Calls, HandOverOptions } from "./hand-over.ts";
import { createStoredNotices, NotStored } from "./stored-notices.ts";
import type { Stored } from "./stored-notices.ts";
import { createTurns } from "./turns.ts";

export interface NoticeRunnerOptions extends HandOverOptions {
  readonly newId: ServiceContext["newId"];
  /** How long finally failed deliveries of a webhook are collected before they are one notice. @default 5 minutes */
  readonly groupMs?: number | undefined;
  /** Time between two checks for acquired partitions, in milliseconds. @default 1,000 */
  readonly intervalMs?: number | undefined;
  readonly onError: OnError;
}

/** Hands the notices of the partitions that the worker of this process leases to everybody who wants them. */
export interface NoticeRunner extends AsyncDisposable {
  start(): void;
  /** There is a new notice of the account. */
  wake(accountId: string): void;
  /** Waits up to five seconds for calls in progress of a partition, so that the next process does not repeat them. */
  drained(partition: string): Promise<void>;
  /** Starts nothing more, and waits up to a second for calls in progress. What is left stays in the store. */
  close(): Promise<void>;
}

/** Accounts whose calls of one kind run at once. */
const maximumCalling = 8;
/** Notices of one account that are handed over in one turn. */
const maximumInTurn = 200;
/** Time between two scans of all held partitions. Notifications, new leases and calls that are due cause earlier ones. */
const scanMs = 60_000;
/** After an error of the store. */
const pauseMs = 10_000;
/** After a call without an answer. */
const unansweredMs = 5_000;
/** After a lost lease. */
const lostMs = 1_000;
/** Of a row that the recorder changes meanwhile. It is tried again a second later. */
const maximumConflicts = 10;
const drainMs = 5_000;
const closeMs = 1_000;

/** The state of a held partition. Times are in milliseconds. */
interface Held {
  scanAt: number;
  /** When the notices of each account are read next. */
  readonly reads: Map<string, number>;
}

/** Calls of one kind do not wait for those of another. */
interface CallQueue extends Calls {
  readonly turns: ReturnType<typeof createTurns>;
}

/**
 * A notice is a row from the commit in which something happened until everybody has it, so a crash loses none. The first call lists the
 * others to make. Each call that ends leaves the list, and the last one removes the row.
 */
export function createNoticeRunner(options: NoticeRunnerOptions): NoticeRunner {
  const { store, clock, now, worker, onError } = options;
  const { groupMs = 300_000, intervalMs = 1_000 } = options;
  const notices = createStoredNotices(options);
  const fenceOf = (accountId: string) => (isClosed ? undefined : worker.fence(accountId));
  const queues = createHandOver(options, notices, fenceOf).map((calls): CallQueue => ({
    ...calls,
    turns: createTurns(maximumCalling),
  }));
  const partitions = new Map<string, Held>();
  let isClosed = false;
  let cancelTimer = (): void => {};
  let unwatch = (): void => {};
  let working: Promise<void> | undefined;
  let isWoken = false;

  function scanAt(partition: string, at: number): void {
    const held = partitions.get(partition);
    if (held !== undefined) held.scanAt = Math.min(held.scanAt, at);
  }

  function readAt(accountId: string, at: number): void {
    const reads = partitions.get(partitionOf(accountId))?.reads;
    reads?.set(accountId, Math.min(reads.get(accountId) ?? at, at));
  }

  function wake(accountId: string): void {
    readAt(accountId, 0);
    isWoken = true;
    work();
  }

  function nextMs(): number {
    const times = [...partitions.values()].flatMap((held) => [held.scanAt, ...held.reads.values()]);
    return times.reduce((first, at) => Math.min(first, at), now() + intervalMs) - now();
  }

  function work(): void {
    if (isClosed || working !== undefined) return;
    cancelTimer();
    isWoken = false;
    working = workOnce().finally(() => {
      working = undefined;
      if (isClosed) return;
      if (isWoken) work();
      else cancelTimer = clock.schedule(work, Math.max(1, nextMs()));
    });
  }

  async function workOnce(): Promise<void> {
    const names = new Set(worker.heldPartitions());
    for (const name of partitions.keys()) if (!names.has(name)) partitions.delete(name);
    for (const name of names)
      if (!partitions.has(name)) partitions.set(name, { scanAt: 0, reads: new Map() });
    for (const [partition, held] of partitions) {
      if (held.scanAt <= now()) await scan(partition, held);
      const due = Array.from(held.reads).filter(([, at]) => at <= now());
      for (const [accountId] of due) {
        if (isClosed) return;
        held.reads.delete(accountId);
        await read(accountId);
      }
    }
  }

  async function scan(partition: string, held: Held): Promise<void> {
    held.scanAt = now() + scanMs;
    try {
      for (const accountId of await notices.findAccounts(partition)) readAt(accountId, 0);
      for await (const failed of listFailedDeliveries(store, partition)) {
        const dueAt = (failed.row?.first_at ?? 0) + groupMs;
        if (dueAt > now()) scanAt(partition, dueAt);
        else if (!(await toNotice(failed))) scanAt(partition, now() + lostMs);
      }
    } catch (error) {
      scanAt(partition, now() + pauseMs);
      onError(error, { partition, code: "notices_not_read" });
    }
    // A store that reads in this thread never waits.
    await nextTurn();
  }

  /** Makes a notice of the deliveries of a webhook that have failed. False: they have to wait. */
  async function toNotice({ entry: { key }, accountId, webhookId }: FailedDeliveries): Promise<boolean> {
    const fence = fenceOf(accountId);
    if (fence === undefined) return false;
    // While deliveries fail, the recorder changes the row again and again.
    for (let conflicts = 0; conflicts < maximumConflicts; conflicts++) {
      const value = await store.get(key);
      if (value === undefined) return true;
      const row = parseFailedDeliveries(value);
      const mutations: Mutation[] = [{ type: "delete", key }];
      if (row !== undefined) mutations.push(toFailedNotice(options, accountId, webhookId, row));
      const checks = [fence, { key, value }];
      if ((await store.commit(key[0], { checks, mutations })).ok) {
        readAt(accountId, 0);
        return true;
      }
    }
    return false;
  }

  /** The notices with a due call of this queue. */
  const dueOf = (read: readonly Stored[], { isOwn }: CallQueue): readonly Stored[] =>
    read.filter(({ row }) => row.left.some(({ to, due_at: at }) => at <= now() && isOwn(to)));

  /** Gives each queue with due calls a turn. */
  async function read(accountId: string): Promise<void> {
    await waitingAfterErrors(accountId, async () => {
      const read = await readNotices(accountId);
      for (const queue of queues)
        if (!queue.turns.has(accountId) && dueOf(read, queue).length > 0)
          queue.turns.add(accountId, () => takeTurn(accountId, queue));
      const later = read
        .flatMap(({ row }) => row.left.map(({ due_at: at }) => at))
        .filter((at) => at > now());
      if (later.length > 0) readAt(accountId, Math.min(...later));
    });
  }

  async function takeTurn(accountId: string, queue: CallQueue): Promise<void> {
    await waitingAfterErrors(accountId, async () => {
      // They are read again, because a turn may begin minutes later.
      const due = dueOf(await readNotices(accountId), queue).slice(0, maximumInTurn);
      const isAnswered = await queue.call(accountId, due);
      readAt(accountId, isAnswered ? 0 : now() + unansweredMs);
    });
    isWoken = true;
    work();
  }

  /** @throws NotStored and errors of the store */
  async function readNotices(accountId: string): Promise<readonly Stored[]> {
    const fence = fenceOf(accountId);
    if (fence === undefined) throw new NotStored();
    return notices.read(accountId, fence);
  }

  async function waitingAfterErrors(accountId: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const isLost = error instanceof NotStored;
      readAt(accountId, now() + (isLost ? lostMs : pauseMs));
      if (!isLost) onError(error, { account_id: accountId, code: "notices_not_read" });
    }
  }

  async function drained(partition: string): Promise<void> {
    if (isClosed) return;
    const isMeant = (accountId: string): boolean => partitionOf(accountId) === partition;
    const ends = Promise.all(queues.map(({ turns }) => turns.ended(isMeant)));
    await endsWithin(ends, { clock, ms: drainMs, onFault: () => {} });
  }

  async function close(): Promise<void> {
    isClosed = true;
    cancelTimer();
    unwatch();
    for (const { turns } of queues) turns.close();
    const ends = Promise.all([working, ...queues.map(({ turns }) => turns.ended())]);
    await endsWithin(ends, { clock, ms: closeMs, onFault: () => {} });
  }

  return {
    start() {
      unwatch = store.watch((notified) => {
        for (const [, table, accountId] of notified ?? []) if (table === noticeTable) wake(String(accountId));
        if (notified !== undefined) return;
        // Notifications may be missing.
        for (const held of partitions.values()) held.scanAt = 0;
        isWoken = true;
        work();
      });
      work();
    },
    wake,
    drained,
    close,
    [Symbol.asyncDispose]: close,
  };
}
