import { longestRetryDelayMs } from "@hookwright/domain";
import type { OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check } from "@hookwright/storage";
import { runAttempt } from "./sending/attempt.ts";
import type { AttemptOptions, TraceAttempt } from "./sending/attempt.ts";
import { createDispatcher } from "./sending/dispatcher.ts";
import { releaseEndpoint } from "./sending/endpoint.ts";
import { createDueAges } from "./sending/due-ages.ts";
import type { DueMs } from "./sending/due-ages.ts";
import { createLoadAttempts } from "./sending/load-attempts.ts";
import type { LoadAttemptsOptions } from "./sending/load-attempts.ts";
import { addressOf } from "./enqueue.ts";
import { createBackgroundFolds } from "./ledger/background-folds.ts";
import { createPartitionLeases, leaseMs } from "./partition-leases.ts";
import type { WorkerIdentity } from "./partition-leases.ts";
import { createPoller } from "./sending/poller.ts";
import { createRecorder } from "./sending/recorder.ts";
import type { EndpointPlan, EndpointResult, RecordChange } from "./sending/plan-batch.ts";
import type { AttemptRow, DeliveryRow } from "./storage/delivery-row.ts";
import type { WaitingPlace } from "./waiting-deliveries.ts";
import type { EndpointAddress } from "./storage/keys.ts";
import type { Clock } from "./clock.ts";
import { endsWithin } from "./clock.ts";
import type { Transport } from "./transport/transport.ts";
import type { RetryOptions } from "./sending/transitions.ts";
import type { WebhookNotice } from "./webhooks/webhook-notice.ts";
import { toSafeObserver } from "./worker-observer.ts";
import type { WorkerObserver } from "./worker-observer.ts";

/*
 * Words of this package:
 *
 *   endpoint     a webhook whose deliveries this worker makes, with its queue and limits
 *   delivery     one event for one webhook; pending until it is delivered, failed or cancelled
 *   attempt      one request of a delivery; sent again if a kept connection ended before it arrived
 *   due          may be attempted now
 *   slot         a place in the pool, from the moment a delivery is picked until its attempt ends
 *   turn, round  at its turn an active endpoint may start one attempt; a round is one turn of each
 *   limit        how many attempts of an endpoint may run at once (AIMD)
 *   back-off     a failing endpoint gets one attempt at a time, with pauses
 *   unhealthy    from a failure until eight successes in a row; unhealthy endpoints share a part of the pool
 *   known        in memory, in flight or not recorded yet: a read does not take it again
 *   partition    one of 64 shares of the accounts, the unit of leases and commits
 *   lease        the right of one worker to a partition, until it expires
 *   fence        the check of the lease, part of each commit to the partition
 *
 * The way of a delivery:
 *
 *   1. A publish commits the record with a row in the queue of each webhook (`enqueue.ts`).
 *   2. The worker learns of it: from the publish itself (`offer`), a notification or a scan (`sending/poller.ts`).
 *   3. The endpoint reads the head of its queue, unless it was offered (`sending/endpoint-queue.ts`). It gets its turn
 *      (`sending/dispatcher.ts`) and starts an attempt if it is below its limit, not in back-off, has a free slot and a valid lease
 *      (`partition-leases.ts`).
 *   4. Webhook, secret, account and record are read (`sending/load-attempts.ts`). If the webhook is not active or the record is gone, the
 *      delivery is cancelled.
 *   5. The body is rendered, signed and sent (`sending/attempt.ts`, `transport/transport.ts`). Answer or failure has one class.
 *   6. The result changes the limits of its endpoint (`sending/endpoint-limits.ts`) and frees its slot (`sending/slots.ts`).
 *   7. Results of a partition share a commit (`sending/recorder.ts`). It says what follows (`sending/transitions.ts`): delivered, failed, or a
 *      row in the retry queue; failures in a row, switch-off, removal after 410; the log and the ledger (`ledger/count.ts`), which
 *      is folded in the background (`ledger/background-folds.ts`).
 *   8. After the commit, mails and metrics learn of it. A retry comes back at 3 when it is due.
 *
 * A crash between 5 and 7 repeats the attempt: the row is still in its queue, and the next lease holder finds it. A worker that lost its
 * lease cannot commit. It forgets the endpoints of the partition, and drops the results of attempts that are still in flight. If a commit
 * ends with an error, `sending/commit-outcome.ts` finds out whether it happened.
 */

export interface WorkerOptions extends LoadAttemptsOptions, RetryOptions {
  readonly partitions: readonly string[];
  readonly worker: WorkerIdentity;
  readonly isProcessAlive?: ((process: number) => boolean) | undefined;
  readonly transport: Transport;
  readonly attemptTimeoutMs: number;
  /** The longest back-off of an endpoint that keeps failing. 0: no back-off. @default 180,000 */
  readonly maximumBackoffMs?: number | undefined;
  readonly clock: Clock;
  /** Milliseconds of the wall clock: receivers compare the timestamp with theirs. */
  readonly wallClock: () => number;
  /** Attempts that may run at once, over all endpoints. Each has a connection. @default 4096 */
  readonly poolSize?: number | undefined;
  /** Time between two rebalances, which acquire free partitions and drain the surplus. @default 1000 */
  readonly rebalanceMs?: number | undefined;
  /** Time between two scans for deliveries that no notification named. @default 5,000 */
  readonly scanMs?: number | undefined;
  /** What is written about a change of a webhook, in the commit that makes it. @default nothing */
  readonly recordChange?: RecordChange | undefined;
  readonly onNotice: (notice: WebhookNotice) => void;
  /** Before a lease is released: waits for other work under the fence of a partition. Bound its time. @default there is none */
  readonly drained?: ((partition: string) => Promise<void>) | undefined;
  readonly onError: OnError;
  /** Called after an attempt is recorded, for logs and metrics. */
  readonly onAttempt?: ((accountId: string, delivery: DeliveryRow, attempt: AttemptRow) => void) | undefined;
  /** @default attempts are not traced */
  readonly traceAttempt?: TraceAttempt | undefined;
  /** Learns what else happens, for metrics. */
  readonly observer?: WorkerObserver | undefined;
}

/** Delivers what is queued in the partitions that it leases. */
export interface Worker extends AsyncDisposable {
  /** Acquires partitions and starts to deliver. Resolves when the partitions it could get are scanned. */
  start(): Promise<void>;
  /** Whether this worker delivers for an account. Then {@link offer} is enough, and no other process need be notified. */
  delivers(accountId: string): boolean;
  /**
   * The fencing check for a commit to the partition of an account, by background work that only one process does. `undefined`: this worker
   * does not deliver for the account.
   */
  fence(accountId: string): Check | undefined;
  /** Hands over deliveries that this process has just committed, so that they need not be read back. */
  offer(accountId: string, deliveries: readonly DeliveryRow[]): void;
  /** The outcome of a commit with deliveries of this account is unknown: searches the store for them. */
  rescan(accountId: string): void;
  /** A webhook was removed, or its row or counters were changed: cancels its deliveries, or applies its limit, order and back-off. */
  webhookChanged(address: EndpointAddress): void;
  /**
   * The records of these deliveries were removed: each is cancelled soon, although it may not be due. Call it again until all have ended.
   *
   * @throws StorageError
   */
  hurry(address: EndpointAddress, deliveries: readonly WaitingPlace[]): Promise<void>;
  heldPartitions(): readonly string[];
  /** Whether it runs and every lease that it holds is valid. */
  readonly running: boolean;
  readonly stats: WorkerStats;
  /**
   * Starts no more attempts, waits for those in flight, records them, and releases the leases, all within `deadlineMs`.
   *
   * @default 15 seconds
   */
  close(options?: { readonly deadlineMs?: number | undefined }): Promise<Closed>;
}

/** How a worker has closed. Nothing is lost. */
export interface Closed {
  /** Attempts whose record is not certain: the next worker makes them again if it is missing. */
  readonly unrecorded: number;
  /** Whether the leases were released. If not, others take over when they expire. */
  readonly released: boolean;
}

export interface WorkerStats {
  /** Attempts in flight. */
  readonly sending: number;
  /** Attempts in flight or not recorded yet. */
  readonly unrecorded: number;
  /** Due deliveries in memory. Those beyond the prefetch window of an endpoint are not counted. */
  readonly waiting: number;
  /** Endpoints that have something to do. */
  readonly endpoints: number;
  /** Endpoints in back-off. */
  readonly backingOff: number;
  readonly partitions: number;
  /** How long the oldest due delivery has been due, by the last scans. A delivery is due until its attempt is recorded. */
  readonly oldestDueMs: DueMs;
  /** Results recorded since the start. */
  readonly recorded: number;
}

/** Part of the time for closing that is kept for releasing the leases. */
const maximumReleaseMs = 1_000;

export function createWorker(options: WorkerOptions): Worker {
  const { store, clock, transport, onError } = options;
  const { rebalanceMs = 1_000, scanMs = 5_000, maximumBackoffMs = 180_000 } = options;
  let state: "new" | "running" | "closed" = "new";
  let closing: Promise<Closed> | undefined;
  let recorded = 0;
  let cancelRebalance = (): void => {};
  let rebalancing: Promise<void> = Promise.resolve();
  let hasRebalanced = true;

  const attemptOptions: AttemptOptions = {
    transport,
    timeoutMs: options.attemptTimeoutMs,
    wallClock: options.wallClock,
    traceAttempt: options.traceAttempt,
  };
  const isRunning = (): boolean => state === "running";
  const observer = toSafeObserver(options.observer, onError);
  const dueAges = createDueAges({ now: () => clock.now(), staleAfterMs: 3 * scanMs });
  const leases = createPartitionLeases({
    ...options,
    async drained(partition) {
      await Promise.all([dispatcher.idle(partition), options.drained?.(partition)]);
      await recorder.drained(partition);
    },
    onAcquired: (partition) => poller.scanNext(partition),
    onLost(partition) {
      dispatcher.drop(partition);
      dueAges.forget(partition);
    },
    onChange: observer.onLeaseChange,
    onRenewed: () => dispatcher.pump(),
  });
  const dispatcher = createDispatcher({
    store,
    clock,
    random: options.random,
    poolSize: options.poolSize ?? 4_096,
    longestRetryDelayMs: longestRetryDelayMs(options.retryDelaysSeconds) + maximumBackoffMs,
    maximumBackoffMs,
    loadAttempts: createLoadAttempts(options),
    runAttempt: (input) => runAttempt(input, attemptOptions),
    storeDelayMs: () => recorder.delayMs(),
    startFence: (partition) =>
      leases.isOpen(partition) && !recorder.isBlocked(partition) ? leases.fence(partition) : undefined,
    isRunning,
    onResult: (result) => recorder.add(result),
    onBackoff: observer.onBackoff,
    onError,
  });
  const recorder = createRecorder({
    ...options,
    fenceOf: leases.fence,
    onRecorded,
    onLost,
    onDropped(endpoint) {
      dispatcher.activate(endpoint);
      dispatcher.pump();
    },
  });
  const poller = createPoller({
    store,
    dispatcher,
    clock,
    holds: (partition) => isRunning() && leases.holds(partition),
    held: leases.held,
    scanMs,
    dueAges,
    onError,
  });

  const folds = createBackgroundFolds({ store, clock, held: leases.held, onError });

  function onRecorded({ endpoint, results, deliveries, notices }: EndpointPlan): void {
    const { address, queue } = endpoint;
    recorded += results.length;
    results.forEach(({ queued, result: { outcome, endedAt } }, index) => {
      queue.done(queued);
      const delivery = deliveries[index];
      if (delivery === undefined) return;
      if (outcome.type === "attempted") onAttempted(address, delivery, outcome.attempt);
      else observer.onCancelled(delivery);
      const { next_attempt_at: dueAt } = delivery;
      if (dueAt !== null) queue.expectRetry(dueAt, dueAt - endedAt);
    });
    if (notices.some(({ type }) => type === "switched_off")) releaseEndpoint(endpoint);
    dispatcher.activate(endpoint);
    dispatcher.pump();
  }

  function onAttempted(address: EndpointAddress, delivery: DeliveryRow, attempt: AttemptRow): void {
    const { accountId } = address;
    try {
      options.onAttempt?.(accountId, delivery, attempt);
    } catch (error) {
      onError(error, { account_id: accountId, delivery_id: delivery.id, code: "metrics_failed" });
    }
    if (attempt.status === 410) webhookChanged(address);
  }

  function onLost(results: readonly EndpointResult[]): void {
    for (const { endpoint, queued } of results) endpoint.queue.done(queued);
    const [first] = results;
    if (first !== undefined) leases.lose(first.endpoint.partition, first.fence);
    dispatcher.pump();
  }

  function webhookChanged(address: EndpointAddress): void {
    const partition = partitionOf(address.accountId);
    if (!isRunning() || !leases.holds(partition)) return;
    poller
      .webhookChanged(address)
      .catch((error: unknown) => onError(error, { partition, code: "queues_not_read" }));
  }

  async function rebalance(): Promise<void> {
    try {
      await leases.rebalance();
      hasRebalanced = true;
    } catch (error) {
      hasRebalanced = false;
      if (isRunning()) onError(error, { code: "leases_not_renewed" });
    }
    // A scan may take longer than the time between two looks for free partitions.
    void poller.scan();
    dispatcher.forgetIdle();
    if (isRunning()) cancelRebalance = clock.schedule(() => void (rebalancing = rebalance()), rebalanceMs);
  }

  async function closeWithin(deadlineMs: number): Promise<Closed> {
    state = "closed";
    cancelRebalance();
    poller.stop();
    const folded = folds.stop();
    dispatcher.stop();
    const releaseMs = Math.min(maximumReleaseMs, deadlineMs / 2);
    const onCloseError = (error: unknown): void =>
      onError(error, { part: "worker", code: "shutdown_failed" });
    // A rebalance in progress could acquire what has just been released.
    const drained = Promise.all([folded, rebalancing.then(() => leases.drainAll())]);
    await endsWithin(drained, { clock, ms: deadlineMs - releaseMs, onFault: onCloseError });
    const unrecorded = countUnrecorded();
    recorder.stop();
    const released = await endsWithin(leases.release(), { clock, ms: releaseMs, onFault: onCloseError });
    return { unrecorded, released };
  }

  function countUnrecorded(): number {
    return dispatcher.inFlight() + recorder.unrecorded();
  }

  const close: Worker["close"] = ({ deadlineMs = leaseMs } = {}) => (closing ??= closeWithin(deadlineMs));

  return {
    async start() {
      if (state !== "new") return;
      state = "running";
      poller.start();
      folds.start();
      leases.start();
      rebalancing = rebalance();
      await rebalancing;
      await poller.scan();
    },
    delivers: (accountId) => isRunning() && leases.isOpen(partitionOf(accountId)),
    fence(accountId) {
      const partition = partitionOf(accountId);
      return isRunning() && leases.isOpen(partition) ? leases.fence(partition) : undefined;
    },
    offer(accountId, deliveries) {
      const partition = partitionOf(accountId);
      if (!isRunning() || !leases.holds(partition)) return;
      for (const delivery of deliveries) {
        const endpoint = dispatcher.open(addressOf(accountId, delivery), partition);
        endpoint.queue.offer(delivery);
        dispatcher.activate(endpoint);
      }
      dispatcher.pump();
    },
    rescan: (accountId) => poller.scanNext(partitionOf(accountId)),
    webhookChanged,
    async hurry(address, deliveries) {
      const partition = partitionOf(address.accountId);
      if (!isRunning() || !leases.holds(partition)) return;
      const endpoint = dispatcher.open(address, partition);
      await endpoint.queue.hurry(deliveries);
      dispatcher.activate(endpoint);
      dispatcher.pump();
    },
    heldPartitions: leases.held,
    get running() {
      return isRunning() && hasRebalanced && leases.isHealthy();
    },
    get stats() {
      const endpoints = [...dispatcher.endpoints()];
      const now = clock.now();
      return {
        sending: dispatcher.inFlight(),
        unrecorded: countUnrecorded(),
        waiting: endpoints.reduce((sum, { queue }) => sum + queue.ready, 0),
        endpoints: endpoints.length,
        backingOff: endpoints.filter(({ limits }) => limits.backoffUntil > now).length,
        partitions: leases.held().length,
        oldestDueMs: dueAges.oldest(),
        recorded,
      };
    },
    close,
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
}
