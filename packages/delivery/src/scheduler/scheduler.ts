import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { runAttempt } from "../attempt.ts";
import type { SignerSource } from "../signer-source.ts";
import { keys } from "../rows/keys.ts";
import type { LaneAddress } from "../rows/keys.ts";
import type { AttemptRow, DeliveryRow } from "../rows/delivery-row.ts";
import type { Transport } from "../transport/transport.ts";
import type { Clock } from "./clock.ts";
import type { Finished } from "./finished.ts";
import { createLane, faultPauseMs } from "./lane.ts";
import type { Lane, QueueItem } from "./lane.ts";
import { createLaneRing } from "./lane-ring.ts";
import { createPartitionLeases } from "./lease.ts";
import { createPrepareTurns } from "./prepare-turns.ts";
import type { ReadMessages, Turn } from "./prepare-turns.ts";
import { createRecorder } from "./recorder.ts";
import type { Recorded, Recorder } from "./recorder.ts";
import type { WebhookNotice } from "./webhooks-of-batch.ts";
import { scanLanes } from "./scan-lanes.ts";
import { leaseMs } from "./worker-identity.ts";
import type { WorkerIdentity } from "./worker-identity.ts";

export interface SchedulerOptions {
  readonly store: Store;
  readonly partitions: readonly string[];
  readonly worker: WorkerIdentity;
  readonly isProcessAlive?: (process: number) => boolean;
  readonly transport: Transport;
  readonly readMessages: ReadMessages;
  readonly signers: SignerSource;
  readonly retryDelaysSeconds: readonly number[];
  readonly attemptTimeoutMs: number;
  readonly clock: Clock;
  /** Milliseconds of the wall clock, for the time stamp receivers compare with theirs. */
  readonly wallClock: () => number;
  readonly random: () => number;
  /** Attempts under way at once, over all webhooks. @default 8192 */
  readonly maximumInFlight?: number;
  /** The safety net under lost wake-ups. @default 1000 */
  readonly pollMs?: number;
  readonly onNotice: (notice: WebhookNotice) => void;
  readonly onFault: (error: unknown) => void;
  /** Told of every attempt once it is durable: for logs and metrics. */
  readonly onAttempt?: (accountId: string, delivery: DeliveryRow, attempt: AttemptRow) => void;
}

export interface Scheduler extends AsyncDisposable {
  /** Takes its leases and begins to deliver. Resolves when it first holds what it can get. */
  start(): Promise<void>;
  /** Whether this process delivers for an account: then an {@link offer} is enough, and no other need be woken. */
  takes(accountId: string): boolean;
  /** Deliveries this process has just committed: they start without being read back. */
  offer(accountId: string, deliveries: readonly DeliveryRow[]): void;
  /** A webhook was removed or changed: its queue is looked at again, to be cancelled where that is due. */
  wake(lane: LaneAddress): void;
  /** The partitions it holds the leases of. */
  heldPartitions(): readonly string[];
  /** Whether it runs and every lease it holds is being renewed. */
  readonly running: boolean;
  readonly stats: SchedulerStats;
  /** Starts no more attempts, lets those under way end and be recorded for at most `deadlineMs`, gives back the leases. */
  close(options?: { readonly deadlineMs?: number }): Promise<void>;
}

export interface SchedulerStats {
  /** Attempts under way. */
  readonly sending: number;
  /** Turns begun and not yet durable, those under way included. */
  readonly unrecorded: number;
  /** Webhooks with something to do. */
  readonly lanes: number;
  /** Partitions leased. */
  readonly partitions: number;
  /** Turns made durable since the start. */
  readonly recorded: number;
}

/** Turns that are answered but not durable are what a crash can send twice: their number is bounded. */
const maximumUnrecorded = 4_096;
/** Beyond these, troubled webhooks have one turn each: the others find the rest free, and memory is not filled with waiting. */
const maximumTroubled = 2_048;
/**
 * A webhook may have under way so many for each turn that is still free: together they never take the last one, and
 * whoever comes later is not kept waiting by a thousand that are slow. Fixed shares would leave room unused, or none.
 */
const sharePerFreeTurn = 1 / 32;
/** Turns of troubled webhooks in one round of the event loop: what arrives meanwhile for others waits no longer than those take. */
const troubledTurnsAtOnce = 8;
/** How often a partition that is to go is looked at. */
const leavingPauseMs = 20;

/**
 * Delivers what is queued in the partitions it leases: every webhook is a lane of its own with its own room, lanes
 * take turns, and what comes of each turn is recorded in one commit behind the lease's fence.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { store, clock, transport, onFault } = options;
  const { maximumInFlight = 8_192, pollMs = 1_000 } = options;
  const leases = createPartitionLeases({ ...options, now: () => clock.now() });
  const lanes = new Map<string, Lane>();
  const recorders = new Map<string, Recorder>();
  const watches = new Map<string, () => void>();
  const ring = createLaneRing();
  const attemptOptions = { transport, timeoutMs: options.attemptTimeoutMs, wallClock: options.wallClock };
  const prepareTurns = createPrepareTurns(options);
  let pumping = false;
  let state: "new" | "running" | "closing" | "closed" = "new";
  let sending = 0;
  let unrecorded = 0;
  let recordedTurns = 0;
  /** Partitions that go to another worker as soon as what is under way in them has ended. */
  const leaving = new Set<string>();
  let wakeAt = Number.POSITIVE_INFINITY;
  let cancelWake = (): void => {};
  let cancelPoll = (): void => {};
  let cancelHeartbeat = (): void => {};
  let whenQuiet: (() => void) | undefined;

  async function start(): Promise<void> {
    if (state !== "new") return;
    state = "running";
    cancelHeartbeat = clock.schedule(() => void beat(), leaseMs / 3);
    await poll();
  }

  /** Renews on its own, so that nothing slow elsewhere can cost the leases; after a fault soon again. */
  async function beat(): Promise<void> {
    let delayMs = leaseMs / 3;
    try {
      for (const lost of await leases.renew()) dropPartition(lost);
      pump();
    } catch (error) {
      delayMs = faultPauseMs;
      onFault(error);
    }
    if (state === "running") cancelHeartbeat = clock.schedule(() => void beat(), delayMs);
  }

  /** Takes what is free, gives up what is more than its share, and looks for what no wake-up told of. */
  async function poll(): Promise<void> {
    try {
      for (const won of await leases.acquire()) watch(won);
      giveUpSurplus();
      for (const partition of leases.held()) {
        if (state === "running") await scan(partition, "unprompted");
      }
      for (const [id, lane] of lanes) if (lane.isIdle) lanes.delete(id);
    } catch (error) {
      if (state === "running") onFault(error);
    }
    if (state === "running") cancelPoll = clock.schedule(() => void poll(), pollMs);
  }

  function giveUpSurplus(): void {
    const count = leases.surplus - leaving.size;
    if (count <= 0) return;
    const sendingIn = new Map<string, number>();
    for (const { partition, sending: attempts } of lanes.values()) {
      sendingIn.set(partition, (sendingIn.get(partition) ?? 0) + attempts);
    }
    const attemptsIn = (partition: string): number => sendingIn.get(partition) ?? 0;
    const quietFirst = leases
      .held()
      .filter((partition) => !leaving.has(partition))
      .sort((one, other) => attemptsIn(one) - attemptsIn(other));
    for (const partition of quietFirst.slice(0, count)) {
      leaving.add(partition);
      leavePartition(partition).catch(onFault);
    }
  }

  /** Nothing new is begun in it, and what is under way is recorded first: whoever has it next sends nothing twice. */
  async function leavePartition(partition: string): Promise<void> {
    const isSending = (): boolean =>
      [...lanes.values()].some((lane) => lane.partition === partition && lane.sending > 0);
    try {
      while (isSending()) await new Promise<void>((resolve) => clock.schedule(resolve, leavingPauseMs));
      await recorders.get(partition)?.drained();
      await leases.giveUp(partition);
    } finally {
      dropPartition(partition);
      leaving.delete(partition);
    }
  }

  function watch(partition: string): void {
    let scanning = false;
    let again = false;
    const onWake = async (): Promise<void> => {
      if (scanning) {
        again = true;
        return;
      }
      scanning = true;
      try {
        do {
          again = false;
          await scan(partition, "woken");
        } while (again && state === "running");
      } catch (error) {
        onFault(error);
      } finally {
        scanning = false;
      }
    };
    watches.set(
      partition,
      store.watch(partition, () => void onWake()),
    );
  }

  async function scan(partition: string, reason: "woken" | "unprompted"): Promise<void> {
    const [fresh, retry] = await Promise.all([
      scanLanes(store, partition, "fresh"),
      scanLanes(store, partition, "retry"),
    ]);
    if (state !== "running" || !leases.holds(partition)) return;
    for (const { address, firstId } of fresh) {
      const lane = laneOf(address, partition);
      // A busy lane fed by this process's own publishes need not read them back every second: what others wrote and
      // never told of comes to the head in its time.
      if (reason === "unprompted" && lane.isFed(firstId)) continue;
      lane.expectFresh();
      enqueue(lane);
    }
    for (const { address, dueAt } of retry) {
      if (dueAt !== undefined) expectRetry(laneOf(address, partition), dueAt);
    }
    await drainRemoved(
      retry.map(({ address }) => address),
      partition,
    );
    pump();
  }

  /** A webhook another process removed leaves retries that are not due for minutes: they are cancelled now. */
  async function drainRemoved(addresses: readonly LaneAddress[], partition: string): Promise<void> {
    if (addresses.length === 0) return;
    const texts = await store.getMany(
      addresses.map(({ accountId, event, webhookId }) => keys.webhook(accountId, event, webhookId)),
    );
    addresses.forEach((address, index) => {
      if (texts[index] !== undefined) return;
      const lane = laneOf(address, partition);
      lane.drain();
      enqueue(lane);
    });
  }

  function laneOf(address: LaneAddress, partition: string): Lane {
    const existing = lanes.get(address.webhookId);
    if (existing !== undefined) return existing;
    const lane = createLane({ store, address, partition });
    lanes.set(address.webhookId, lane);
    return lane;
  }

  function takes(accountId: string): boolean {
    const partition = partitionOf(accountId);
    return state === "running" && leases.holds(partition) && !leaving.has(partition);
  }

  function offer(accountId: string, deliveries: readonly DeliveryRow[]): void {
    if (!takes(accountId)) return;
    const partition = partitionOf(accountId);
    for (const delivery of deliveries) {
      const address = { accountId, event: delivery.event, webhookId: delivery.webhook_id };
      const lane = laneOf(address, partition);
      lane.offer(delivery);
      enqueue(lane);
    }
    pump();
  }

  function wake(address: LaneAddress): void {
    if (state !== "running") return;
    const [partition] = keys.freshLane(address);
    if (leases.holds(partition)) drainRemoved([address], partition).then(pump, onFault);
  }

  function expectRetry(lane: Lane, dueAt: number): void {
    lane.expectRetry(dueAt);
    if (dueAt <= clock.now()) enqueue(lane);
    else armWake(dueAt);
  }

  function armWake(at: number): void {
    if (at >= wakeAt || state !== "running") return;
    wakeAt = at;
    cancelWake();
    cancelWake = clock.schedule(onWakeTime, Math.max(0, at - clock.now()));
  }

  function onWakeTime(): void {
    wakeAt = Number.POSITIVE_INFINITY;
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const lane of lanes.values()) {
      const { nextRetryAt } = lane;
      if (nextRetryAt === undefined) continue;
      if (nextRetryAt <= now) enqueue(lane);
      else next = Math.min(next, nextRetryAt);
    }
    if (next !== Number.POSITIVE_INFINITY) armWake(next);
    pump();
  }

  function enqueue(lane: Lane): void {
    if (lane.hasWork(clock.now()) && lane.hasRoom()) ring.push(lane);
  }

  /** Answers that arrive together are followed by turns that are prepared together. */
  function pump(): void {
    if (pumping) return;
    pumping = true;
    setImmediate(() => {
      pumping = false;
      startTurns();
    });
  }

  function startTurns(): void {
    // A process that was stopped for a while must not begin what another may be sending: the next heartbeat tells.
    if (clock.now() >= leases.validUntil) return;
    const batches = new Map<Lane, QueueItem[]>();
    let troubled = 0;
    while (state === "running" && sending < maximumInFlight && unrecorded < maximumUnrecorded) {
      const lane = ring.shift();
      if (lane === undefined) break;
      if (lane.isTroubled && ++troubled > troubledTurnsAtOnce) {
        ring.push(lane);
        pump();
        break;
      }
      if (lane.dropped || leaving.has(lane.partition) || !lane.hasRoom()) continue;
      const turns = lane.isTroubled ? maximumTroubled : maximumUnrecorded;
      // It has attempts under way, and comes back into the ring as each of them ends.
      if (lane.sending > 0 && lane.sending >= (turns - unrecorded) * sharePerFreeTurn) continue;
      const item = lane.take();
      if (item === undefined) {
        void fill(lane);
        continue;
      }
      lane.sending += 1;
      lane.unrecorded += 1;
      sending += 1;
      unrecorded += 1;
      const batch = batches.get(lane);
      if (batch === undefined) batches.set(lane, [item]);
      else batch.push(item);
      enqueue(lane);
    }
    for (const [lane, items] of batches) void takeTurns(lane, items);
  }

  async function fill(lane: Lane): Promise<void> {
    try {
      await lane.fill(clock.now());
    } catch (error) {
      onFault(error);
    }
    if (lane.nextRetryAt !== undefined) expectRetry(lane, lane.nextRetryAt);
    enqueue(lane);
    pump();
  }

  async function takeTurns(lane: Lane, items: readonly QueueItem[]): Promise<void> {
    try {
      const turns = await prepareTurns(lane.address, items);
      for (const turn of turns) void takeTurn(lane, turn);
    } catch (error) {
      onFault(error);
      for (const { id } of items) putBack(lane, id);
    }
  }

  async function takeTurn(lane: Lane, { place, delivery, send }: Turn): Promise<void> {
    try {
      const outcome: Finished["outcome"] = send.ok
        ? { type: "attempted", attempt: await runAttempt(send.input, attemptOptions) }
        : { type: "cancelled", reason: send.reason };
      const finished = { lane: lane.address, place, delivery, outcome };
      // Whoever has the partition now sends it again; a record of ours could only contradict theirs.
      if (lane.dropped) forget(finished);
      else recorderOf(lane.partition).add(finished);
      end(lane, outcome);
    } catch (error) {
      onFault(error);
      putBack(lane, delivery.id);
    }
  }

  /** The store still holds the delivery: its queue is read again later. */
  function putBack(lane: Lane, id: string): void {
    unrecorded -= 1;
    lane.putBack(id, clock.now() + faultPauseMs);
    armWake(clock.now() + faultPauseMs);
    end(lane, undefined);
  }

  function end(lane: Lane, outcome: Finished["outcome"] | undefined): void {
    if (outcome?.type !== "attempted") lane.answered(outcome?.type ?? "none", 0);
    else lane.answered(outcome.attempt.error === null ? "accepted" : "failed", outcome.attempt.duration_ms);
    sending -= 1;
    enqueue(lane);
    pump();
    if (state === "closing") whenQuiet?.();
  }

  function recorderOf(partition: string): Recorder {
    const existing = recorders.get(partition);
    if (existing !== undefined) return existing;
    const recorder = createRecorder({
      ...options,
      partition,
      fence: () => leases.fence(partition),
      onRecorded,
      onLost,
    });
    recorders.set(partition, recorder);
    return recorder;
  }

  function onRecorded(recorded: readonly Recorded[]): void {
    recordedTurns += recorded.length;
    for (const { finished, delivery } of recorded) {
      forget(finished);
      tellOfAttempt(finished, delivery);
      const lane = lanes.get(finished.lane.webhookId);
      if (lane !== undefined && delivery.next_attempt_at !== null)
        expectRetry(lane, delivery.next_attempt_at);
      // 410: what still waits behind it is cancelled at once.
      if (finished.outcome.type === "attempted" && finished.outcome.attempt.status === 410)
        wake(finished.lane);
    }
    pump();
  }

  function tellOfAttempt({ lane, outcome }: Finished, delivery: DeliveryRow): void {
    if (outcome.type !== "attempted") return;
    try {
      options.onAttempt?.(lane.accountId, delivery, outcome.attempt);
    } catch (error) {
      onFault(error);
    }
  }

  function onLost(finished: readonly Finished[]): void {
    finished.forEach(forget);
    const [first] = finished;
    if (first !== undefined) dropPartition(keys.freshLane(first.lane)[0]);
  }

  function forget({ lane: { webhookId }, delivery }: Finished): void {
    unrecorded -= 1;
    const lane = lanes.get(webhookId);
    if (lane === undefined) return;
    lane.forget(delivery.id);
    enqueue(lane);
  }

  function dropPartition(partition: string): void {
    leases.lose(partition);
    watches.get(partition)?.();
    watches.delete(partition);
    for (const [id, lane] of lanes) {
      if (lane.partition !== partition) continue;
      lane.dropped = true;
      lanes.delete(id);
    }
  }

  async function close({ deadlineMs = leaseMs }: { readonly deadlineMs?: number } = {}): Promise<void> {
    if (state === "closing" || state === "closed") return;
    state = "closing";
    cancelPoll();
    cancelHeartbeat();
    cancelWake();
    for (const stop of watches.values()) stop();
    const deadline = new Promise<void>((resolve) => {
      cancelWake = clock.schedule(resolve, deadlineMs);
    });
    await Promise.race([attemptsToEnd().then(recordersToDrain), deadline]);
    cancelWake();
    await leases.release();
    state = "closed";
  }

  async function recordersToDrain(): Promise<void> {
    await Promise.all([...recorders.values()].map((recorder) => recorder.drained()));
  }

  function attemptsToEnd(): Promise<void> {
    if (sending === 0) return Promise.resolve();
    return new Promise((resolve) => {
      whenQuiet = () => {
        if (sending === 0) resolve();
      };
    });
  }

  return {
    start,
    heldPartitions: () => leases.held(),
    takes,
    offer,
    wake,
    get running() {
      return state === "running" && clock.now() < leases.validUntil;
    },
    get stats() {
      return {
        sending,
        unrecorded,
        lanes: lanes.size,
        partitions: leases.held().length,
        recorded: recordedTurns,
      };
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}
