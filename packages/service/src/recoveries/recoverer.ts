import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock, Worker } from "@hookwright/delivery";
import { createIdSource } from "@hookwright/domain";
import type { EventRegistry, OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { keys, recoveryRunningTable } from "../rows/keys.ts";
import { recoverStep } from "./recover-step.ts";
import type { RunningRecovery, StepResult } from "./recover-step.ts";

export interface RecovererOptions {
  readonly store: Store;
  readonly events: EventRegistry;
  readonly clock: Clock;
  /** The worker of this process. A recovery runs only where the worker delivers for its account. */
  readonly worker: Pick<Worker, "fence" | "offer" | "rescan" | "heldPartitions">;
  /** A recovery waits while its webhook has about this many pending deliveries. @default 500 */
  readonly maximumPending?: number | undefined;
  /** Time between two checks for acquired partitions and for pending deliveries, in milliseconds. @default 500 */
  readonly intervalMs?: number | undefined;
  readonly onError: OnError;
}

/** Runs the recoveries of the partitions that the worker of this process leases. */
export interface Recoverer extends AsyncDisposable {
  start(): void;
  /** Ends after the commit in progress. Another process continues the recoveries. */
  close(): Promise<void>;
}

/** Time between two scans of all held partitions. Notifications and new leases cause earlier ones. */
const scanMs = 60_000;
/** Pause after a scan that failed, so that a storage that is down causes few log lines. */
const scanPauseMs = 10_000;
/** Pause of a recovery after an error. It doubles up to the maximum. */
const firstPauseMs = 1_000;
const maximumPauseMs = 60_000;
const pageSize = 500;

interface Known extends RunningRecovery {
  dueAt: number;
  errors: number;
}

/**
 * Creates the driver of the recoveries. Each recovery makes one small commit at a time, and all running ones take turns, so one waiting
 * or large recovery does not delay the others. The state is in the store: after a crash the next lease holder continues.
 *
 * @see docs/decisions/recovery.md
 */
export function createRecoverer(options: RecovererOptions): Recoverer {
  const { store, events, clock, worker, maximumPending = 500, intervalMs = 500, onError } = options;
  const { now } = clock;
  const newId = createIdSource({ now, randomBytes });
  const stepOptions = { store, events, worker, now, newId, maximumPending, onError };
  /** By the id of the recovery. */
  const running = new Map<string, Known>();
  const unscanned = new Set<string>();
  /** A scan failed: no other one starts before this time. */
  let scansPausedUntil = 0;
  let held: ReadonlySet<string> = new Set();
  let scannedAt = now();
  let isClosed = false;
  let cancelTimer = (): void => {};
  let unwatch = (): void => {};
  let working: Promise<void> | undefined;

  function schedule(delayMs: number): void {
    cancelTimer();
    if (!isClosed) cancelTimer = clock.schedule(wake, delayMs);
  }

  function wake(): void {
    if (isClosed || working !== undefined) return;
    working = work()
      .catch((error: unknown) => onError(error, { code: "recovery_failed" }))
      .finally(() => {
        working = undefined;
        schedule(intervalMs);
      });
  }

  function onNotification(notified: readonly Key[] | undefined): void {
    const named = notified?.filter(([, table]) => table === recoveryRunningTable);
    if (named?.length === 0) return;
    for (const partition of named?.map(([name]) => name) ?? worker.heldPartitions()) unscanned.add(partition);
    wake();
  }

  /** Ends when every running recovery waits. */
  async function work(): Promise<void> {
    do {
      await findRunning();
      for (const recovery of running.values()) {
        if (isClosed) return;
        if (recovery.dueAt <= now()) await advance(recovery);
        // A store that reads in this thread never waits.
        await nextTurn();
      }
    } while (!isClosed && [...running.values()].some(({ dueAt }) => dueAt <= now()));
  }

  async function findRunning(): Promise<void> {
    const current = new Set(worker.heldPartitions());
    for (const partition of current) if (!held.has(partition)) unscanned.add(partition);
    if (now() - scannedAt >= scanMs) {
      scannedAt = now();
      for (const partition of current) unscanned.add(partition);
    }
    held = current;
    for (const [id, { accountId }] of running) if (!held.has(partitionOf(accountId))) running.delete(id);
    for (const partition of unscanned) {
      if (isClosed || now() < scansPausedUntil) return;
      unscanned.delete(partition);
      if (!held.has(partition)) continue;
      try {
        await scan(partition);
      } catch (error) {
        unscanned.add(partition);
        scansPausedUntil = now() + scanPauseMs;
        onError(error, { partition, code: "recovery_failed" });
      }
    }
  }

  async function scan(partition: string): Promise<void> {
    const prefix = keys.recoveriesRunningIn(partition);
    for (let after: Key | undefined; ;) {
      const entries = await store.list({ prefix, after, limit: pageSize });
      for (const { key, value: id } of entries) {
        if (running.has(id)) continue;
        running.set(id, { id, accountId: String(key[2]), runningKey: key, dueAt: now(), errors: 0 });
      }
      if (entries.length < pageSize) return;
      after = entries.at(-1)?.key;
    }
  }

  async function advance(recovery: Known): Promise<void> {
    let result: StepResult;
    try {
      result = await recoverStep(stepOptions, recovery);
      recovery.errors = 0;
    } catch (error) {
      if (isClosed) return;
      onError(error, { account_id: recovery.accountId, recovery_id: recovery.id, code: "recovery_failed" });
      recovery.dueAt = now() + Math.min(maximumPauseMs, firstPauseMs * 2 ** recovery.errors);
      recovery.errors += 1;
      return;
    }
    if (result === "ended") running.delete(recovery.id);
    if (result === "wait") recovery.dueAt = now() + intervalMs;
  }

  async function close(): Promise<void> {
    isClosed = true;
    cancelTimer();
    unwatch();
    await working;
  }

  return {
    start() {
      unwatch = store.watch(onNotification);
      wake();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
