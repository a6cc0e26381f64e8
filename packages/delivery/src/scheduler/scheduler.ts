import type { OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check, Store } from "@hookwright/storage";
import { runAttempt } from "../attempt.ts";
import type { AttemptRow, DeliveryRow } from "../rows/delivery-row.ts";
import { keys } from "../rows/keys.ts";
import type { LaneAddress } from "../rows/keys.ts";
import type { SignerSource } from "../signer-source.ts";
import type { Clock } from "../time/clock.ts";
import { endsWithin } from "../time/ends-within.ts";
import type { Transport } from "../transport/transport.ts";
import { createLanes } from "./lanes/lanes.ts";
import { leaseMs } from "./leases/worker-identity.ts";
import type { WorkerIdentity } from "./leases/worker-identity.ts";
import { createHeldPartitions } from "./partitions/held-partitions.ts";
import type { Recorded } from "./recording/plan-batch.ts";
import { createRecorders } from "./recording/recorders.ts";
import type { WebhookNotice } from "./recording/webhook-in-batch.ts";
import { createNewsCounter } from "./scanning/news-counter.ts";
import type { Finished } from "./turns/finished.ts";
import { createPrepareTurns } from "./turns/prepare-turns.ts";
import type { ReadMessages } from "./turns/prepare-turns.ts";
import { createTurns } from "./turns/turns.ts";

export interface SchedulerOptions {
  readonly store: Store;
  readonly partitions: readonly string[];
  readonly worker: WorkerIdentity;
  readonly isProcessAlive?: ((process: number) => boolean) | undefined;
  readonly transport: Transport;
  readonly readMessages: ReadMessages;
  readonly signers: SignerSource;
  readonly retryDelaysSeconds: readonly number[];
  readonly attemptTimeoutMs: number;
  readonly clock: Clock;
  /** Milliseconds of the wall clock, for the time stamp receivers compare with theirs. */
  readonly wallClock: () => number;
  readonly random: () => number;
  /** Attempts under way or not yet recorded, over all webhooks. Each that is under way has a connection. @default 4096 */
  readonly maximumTurns?: number | undefined;
  /** Milliseconds from one look for free leases, and for work that no wake-up told of, to the next. @default 1000 */
  readonly pollMs?: number | undefined;
  readonly onNotice: (notice: WebhookNotice) => void;
  readonly onFault: OnError;
  /** Told of every attempt once it is durable: for logs and metrics. */
  readonly onAttempt?: ((accountId: string, delivery: DeliveryRow, attempt: AttemptRow) => void) | undefined;
}

export interface Scheduler extends AsyncDisposable {
  /** Takes its leases and begins to deliver. Resolves when it first holds what it can get. */
  start(): Promise<void>;
  /** Whether this process delivers for an account: then an {@link offer} is enough, and no other need be woken. */
  takes(accountId: string): boolean;
  /** Deliveries this process has just committed: they start without being read back. */
  offer(accountId: string, deliveries: readonly DeliveryRow[]): void;
  /**
   * The storage has not answered a commit that makes deliveries of this account. They may be there, and nobody else will tell of them: they
   * are looked for with the next look.
   */
  doubt(accountId: string): void;
  /** A webhook was removed: what waits for it is cancelled now, also what is not due for minutes. */
  wake(lane: LaneAddress): void;
  /** The partitions it holds the leases of. */
  heldPartitions(): readonly string[];
  /** Whether it runs and every lease it holds is being renewed. */
  readonly running: boolean;
  readonly stats: SchedulerStats;
  /**
   * Starts no more attempts, lets those under way end and be recorded, and gives back the leases: all that within
   * `deadlineMs`, also where the store answers nothing any more.
   *
   * @default 15 seconds
   */
  close(options?: { readonly deadlineMs?: number | undefined }): Promise<Closed>;
}

/** What a scheduler left behind when it closed. Nothing of it is lost. */
export interface Closed {
  /** Turns that are not known to be durable: whoever works for their partitions next takes them again. */
  readonly unrecorded: number;
  /** Whether the leases were given back; if not, others take over when they have run out. */
  readonly released: boolean;
}

export interface SchedulerStats {
  /** Attempts under way. */
  readonly sending: number;
  /** Turns begun and not yet durable, those under way included. */
  readonly unrecorded: number;
  /** Deliveries in memory whose turn has not come. What waits in the store beyond a webhook's window is not counted. */
  readonly waiting: number;
  /** Webhooks with something to do. */
  readonly lanes: number;
  /** Partitions leased. */
  readonly partitions: number;
  /** Turns made durable since the start. */
  readonly recorded: number;
}

/** Of the time there is for closing, what is kept for giving back the leases. */
const mostReleaseMs = 1_000;

/**
 * Delivers what is queued in the partitions it leases: every webhook is a lane of its own with its own room, lanes
 * take turns, and what comes of each turn is recorded in one commit behind the lease's fence.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { store, clock, transport, onFault } = options;
  const { maximumTurns = 4_096, pollMs = 1_000 } = options;
  const attemptOptions = { transport, timeoutMs: options.attemptTimeoutMs, wallClock: options.wallClock };
  const lanes = createLanes({ store, clock, onDue: () => turns.pump() });
  const newsCounter = createNewsCounter({
    lanes,
    clock,
    worksFor: (partition) => isRunning() && partitions.holds(partition),
    onCounted: () => turns.pump(),
    // What is being counted is not waited for at the end: the store may be closed by then.
    onFault(error, context) {
      if (isRunning()) onFault(error, context);
    },
  });
  const partitions = createHeldPartitions({
    ...options,
    pollMs,
    lanes,
    newsCounter,
    isRunning,
    work: {
      sending: (partition) => turns.sendingIn(partition),
      ended: (partition) => turns.endedIn(partition),
      recorded: (partition) => recorders.drained(partition),
    },
    onReady: () => turns.pump(),
  });
  const recorders = createRecorders({ ...options, fence: partitions.fence, onRecorded, onLost });
  const turns = createTurns({
    lanes,
    clock,
    prepareTurns: createPrepareTurns(options),
    attempt: (input) => runAttempt(input, attemptOptions),
    mayBegin: isRunning,
    mayBeginIn,
    onFinished: recorders.add,
    onSlowBacklog: newsCounter.add,
    onFault,
    maximumTurns,
  });
  let state: "new" | "running" | "closed" = "new";
  let closing: Promise<Closed> | undefined;
  let recordedTurns = 0;

  function isRunning(): boolean {
    return state === "running";
  }

  async function start(): Promise<void> {
    if (state !== "new") return;
    state = "running";
    await partitions.start();
  }

  /**
   * A process that was stopped for a while must not begin what another may be sending: the next heartbeat tells. Nor where nothing can
   * be recorded for now: what is answered there waits in memory, and would be sent again after a crash.
   */
  function mayBeginIn(partition: string, now: number): boolean {
    return (
      now < partitions.heldUntil(partition) &&
      !partitions.isLeaving(partition) &&
      !recorders.isHeldUp(partition)
    );
  }

  function takes(accountId: string): boolean {
    const partition = partitionOf(accountId);
    return isRunning() && clock.now() < partitions.heldUntil(partition) && !partitions.isLeaving(partition);
  }

  function offer(accountId: string, deliveries: readonly DeliveryRow[]): void {
    const partition = partitionOf(accountId);
    // Also while its lease has run out: it was said to be taken when it was written, and begins once that is renewed.
    if (!isRunning() || !partitions.holds(partition) || partitions.isLeaving(partition)) return;
    const now = clock.now();
    for (const delivery of deliveries) {
      const address = { accountId, event: delivery.event, webhookId: delivery.webhook_id };
      const lane = lanes.open(address, { partition, isBacklog: false });
      lane.offer(delivery, now);
      lanes.enqueue(lane);
    }
    turns.pump();
  }

  function onRecorded(recorded: readonly Recorded[]): void {
    recordedTurns += recorded.length;
    for (const { finished, delivery } of recorded) {
      turns.forget(finished);
      tellOfAttempt(finished, delivery);
      const lane = lanes.find(finished.lane.webhookId);
      if (lane !== undefined && delivery.next_attempt_at !== null)
        lanes.expectRetry(lane, delivery.next_attempt_at);
      // 410: what still waits behind it is cancelled at once.
      if (finished.outcome.type === "attempted" && finished.outcome.attempt.status === 410)
        partitions.wake(finished.lane);
    }
    turns.pump();
  }

  function onShutdownError(error: unknown): void {
    onFault(error, { part: "scheduler", code: "shutdown_failed" });
  }

  function tellOfAttempt({ lane, outcome }: Finished, delivery: DeliveryRow): void {
    if (outcome.type !== "attempted") return;
    try {
      options.onAttempt?.(lane.accountId, delivery, outcome.attempt);
    } catch (error) {
      onFault(error, { account_id: lane.accountId, delivery_id: delivery.id, code: "metrics_failed" });
    }
  }

  function onLost(finished: readonly Finished[], fence: Check | undefined): void {
    finished.forEach(turns.forget);
    const [first] = finished;
    if (first === undefined) return;
    const [partition] = keys.freshLane(first.lane);
    partitions.lose(partition, fence);
    // The room they took is free for the lanes of others.
    turns.pump();
  }

  function close({
    deadlineMs = leaseMs,
  }: { readonly deadlineMs?: number | undefined } = {}): Promise<Closed> {
    closing ??= closeWithin(deadlineMs);
    return closing;
  }

  async function closeWithin(deadlineMs: number): Promise<Closed> {
    state = "closed";
    const lookedAround = partitions.stop();
    lanes.stop();
    const releaseMs = Math.min(mostReleaseMs, deadlineMs / 2);
    const drained = turns.ended().then(() => recorders.drained());
    // A look that is under way could take back what has just been given up. What cannot be given up is tried again in the end, and told of.
    lookedAround.then(() => partitions.giveUpAll()).catch(() => {});
    await endsWithin(Promise.all([drained, lookedAround]), {
      clock,
      ms: deadlineMs - releaseMs,
      onFault: onShutdownError,
    });
    const unrecorded = turns.unrecorded();
    const released = await endsWithin(partitions.release(), {
      clock,
      ms: releaseMs,
      onFault: onShutdownError,
    });
    return { unrecorded, released };
  }

  return {
    start,
    heldPartitions: () => partitions.held(),
    takes,
    offer,
    doubt: (accountId) => partitions.owe(partitionOf(accountId)),
    wake: (lane) => partitions.wake(lane),
    get running() {
      return isRunning() && clock.now() < partitions.validUntil();
    },
    get stats() {
      return {
        sending: turns.sending(),
        unrecorded: turns.unrecorded(),
        // Counted when it is asked for: ten thousand lanes are looked at for a scrape, not for every look at the others.
        get waiting() {
          let waiting = 0;
          for (const lane of lanes.all()) waiting += lane.waiting();
          return waiting;
        },
        lanes: lanes.size(),
        partitions: partitions.held().length,
        recorded: recordedTurns,
      };
    },
    close,
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
}
