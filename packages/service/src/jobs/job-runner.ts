import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock, Worker } from "@hookwright/delivery";
import { createIdSource } from "@hookwright/domain";
import type { EventRegistry, OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Key, Outbox, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import type { FindOrdersOfHost } from "../lookups/search-context.ts";
import { erasureRunningTable, resendRunningTable, webhookActionRunningTable } from "../rows/keys.ts";
import { erasureStep } from "./erasures/erasure-step.ts";
import { resendStep } from "./resends/resend-step.ts";
import type { RunningJob, StepResult } from "./resends/resend-step.ts";
import { defaultAuditRetentionMs } from "../rows/audit-row.ts";
import type { AuditRow } from "../rows/audit-row.ts";
import { actionStep } from "./webhook-actions/action-step.ts";

export interface JobRunnerOptions {
  readonly store: Store;
  readonly events: EventRegistry;
  readonly clock: Clock;
  /** The worker of this process. A job runs only where the worker leases its partition. */
  readonly worker: Pick<Worker, "fence" | "offer" | "rescan" | "heldPartitions" | "webhookChanged" | "hurry">;
  /** How long entries of the audit log are kept. @default 90 days */
  readonly auditRetentionMs?: number | undefined;
  /** The outboxes of the server, for erasures. @default none */
  readonly outboxes?: readonly Pick<Outbox, "rejected">[] | undefined;
  /** Finds orders that the host keeps, for jobs that send what a text names. @default the host keeps none */
  readonly findOrdersOfHost?: FindOrdersOfHost | undefined;
  /** Called after a job changed something that the audit log names. It must not throw. */
  readonly onAudited?: ((row: AuditRow) => void) | undefined;
  /** Nothing is sent again to a webhook that has about this many pending deliveries. @default 500 */
  readonly maximumPending?: number | undefined;
  /** Time between two checks for acquired partitions and for pending deliveries, in milliseconds. @default 500 */
  readonly intervalMs?: number | undefined;
  readonly onError: OnError;
}

/** Runs the jobs that send again, the actions on many webhooks, and the erasures, of the partitions that the worker of this process leases. */
export interface JobRunner extends AsyncDisposable {
  start(): void;
  /** Ends after the commit in progress. Another process continues the jobs. */
  close(): Promise<void>;
}

/** Time between two scans of all held partitions. Notifications and new leases cause earlier ones. */
const scanMs = 60_000;
/** Pause after a scan that failed, so that a storage that is down causes few log lines. */
const scanPauseMs = 10_000;
/** Pause of a job after an error. It doubles up to the maximum. */
const firstPauseMs = 1_000;
const maximumPauseMs = 60_000;
const pageSize = 500;

/** The kinds of jobs: the table of the running ones, and what makes a step of one. */
const kinds = [
  { table: resendRunningTable, step: resendStep },
  { table: webhookActionRunningTable, step: actionStep },
  { table: erasureRunningTable, step: erasureStep },
] as const;

interface Known extends RunningJob {
  readonly step: (typeof kinds)[number]["step"];
  dueAt: number;
  errors: number;
}

/**
 * Creates the driver of the jobs. Each job makes one small step at a time, and all running ones take turns, so one waiting or large job
 * does not delay the others. The state is in the store: after a crash the next lease holder continues.
 *
 * @see docs/decisions/recovery.md
 */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { store, events, clock, worker, maximumPending = 500, intervalMs = 500, onError } = options;
  const { now } = clock;
  const newId = createIdSource({ now, randomBytes });
  const { auditRetentionMs = defaultAuditRetentionMs, onAudited } = options;
  const stepOptions = {
    store,
    events,
    outboxes: options.outboxes ?? [],
    findOrdersOfHost: options.findOrdersOfHost,
    worker,
    now,
    newId,
    maximumPending,
    auditRetentionMs,
    onAudited,
    onError,
  };
  /** By the id of the job. */
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
    const named = notified?.filter(([, table]) => kinds.some((kind) => kind.table === table));
    if (named?.length === 0) return;
    for (const partition of named?.map(([name]) => name) ?? worker.heldPartitions()) unscanned.add(partition);
    wake();
  }

  /** Ends when every running job waits. */
  async function work(): Promise<void> {
    do {
      await findRunning();
      for (const job of running.values()) {
        if (isClosed) return;
        if (job.dueAt <= now()) await advance(job);
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
    for (const { table, step } of kinds)
      for await (const entries of listPages(store, { prefix: [partition, table], pageSize }))
        for (const { key, value: id } of entries)
          if (!running.has(id))
            running.set(id, {
              id,
              step,
              accountId: String(key[2]),
              runningKey: key,
              dueAt: now(),
              errors: 0,
            });
  }

  async function advance(job: Known): Promise<void> {
    let result: StepResult;
    try {
      result = await job.step(stepOptions, job);
      job.errors = 0;
    } catch (error) {
      if (isClosed) return;
      onError(error, { account_id: job.accountId, job_id: job.id, code: "recovery_failed" });
      job.dueAt = now() + Math.min(maximumPauseMs, firstPauseMs * 2 ** job.errors);
      job.errors += 1;
      return;
    }
    if (result === "ended") running.delete(job.id);
    if (result === "wait") job.dueAt = now() + intervalMs;
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
