import type { LogCode, OnError } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import type { AttemptInput } from "../../attempt.ts";
import { DeliveryError } from "../../delivery-error.ts";
import type { AttemptRow, DeliveryRow } from "../../rows/delivery-row.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import type { Clock } from "../../time/clock.ts";
import { quickAnswerMs } from "../lanes/earned-room.ts";
import { faultPauseMs } from "../lanes/lane-queue.ts";
import type { QueueItem } from "../lanes/lane-queue.ts";
import type { Lane } from "../lanes/lane.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { createParkedLanes } from "../lanes/parked-lanes.ts";
import type { Finished, QueuePlace } from "./finished.ts";
import type { Turn } from "./prepare-turns.ts";
import { createTroubledPace } from "./troubled-pace.ts";
import { createUnderWay } from "./under-way.ts";

/** The turns deliveries take: begun while there is room, and forgotten once they are durable. */
export interface Turns {
  /** Attempts under way. */
  sending(): number;
  /** Of one partition. */
  sendingIn(partition: string): number;
  /** Turns begun and not yet durable, those under way included. */
  unrecorded(): number;
  /** Begins what may begin, in the next round of the event loop. */
  pump(): void;
  /** The turn is durable, or somebody else's now. */
  forget(finished: Finished): void;
  /** Resolves when no attempt is under way. Whoever asks begins no more of them. */
  ended(): Promise<void>;
  /** The same of one partition. */
  endedIn(partition: string): Promise<void>;
}

export interface TurnsOptions {
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly prepareTurns: (lane: LaneAddress, items: readonly QueueItem[]) => Promise<Turn[]>;
  readonly attempt: (input: AttemptInput) => Promise<AttemptRow>;
  /** Whether turns may begin at all. */
  readonly mayBegin: () => boolean;
  /** Whether turns may begin in this partition, at this moment. */
  readonly mayBeginIn: (partition: string, now: number) => boolean;
  readonly onFinished: (partition: string, finished: Finished) => void;
  /** One that is slow was found waiting, and nobody has looked yet how much there is of it. */
  readonly onSlowBacklog: (lane: Lane) => void;
  readonly onFault: OnError;
  /** Turns begun and not yet durable, over all webhooks, those under way included: what is answered and not recorded a crash can send twice. */
  readonly maximumTurns: number;
}

/**
 * With more turns than that share of all, troubled webhooks have one each: the others find the rest free, and memory is not filled
 * with waiting.
 */
const troubledShare = 1 / 2;
/**
 * A webhook may have under way so many for each turn that is still free: together they never take the last one, and
 * whoever comes later is not kept waiting by a thousand that are slow. Fixed shares would leave room unused, or none.
 */
const sharePerFreeTurn = 1 / 32;
/** Paced turns in one round of the event loop: what arrives meanwhile waits no longer than they take. */
const pacedTurnsAtOnce = 8;

export function createTurns(options: TurnsOptions): Turns {
  const { lanes, clock, prepareTurns, attempt, mayBegin, mayBeginIn, onFinished, onFault, maximumTurns } =
    options;
  const pace = createTroubledPace(clock);
  const underWay = createUnderWay();
  const parked = createParkedLanes();
  let pumping = false;
  let unrecorded = 0;

  /** Answers that arrive together are followed by turns that are prepared together. */
  function pump(): void {
    if (pumping) return;
    pumping = true;
    setImmediate(() => {
      pumping = false;
      beginTurns();
    });
  }

  function beginTurns(): void {
    if (!mayBegin()) return;
    const now = clock.now();
    parked.release((partition) => mayBeginIn(partition, now), lanes.enqueue);
    const unpaced = new Map<Lane, QueueItem[]>();
    const paced = new Map<Lane, QueueItem[]>();
    let pacedLanes = 0;
    const mayBePaced = (): boolean => pacedLanes < pacedTurnsAtOnce && pace.mayBegin();
    while (unrecorded < maximumTurns) {
      const next = lanes.next({ paced: mayBePaced() });
      if (next === undefined) break;
      const { lane, isPaced } = next;
      if (lane.dropped) continue;
      if (!mayBeginIn(lane.partition, now)) {
        parked.park(lane);
        continue;
      }
      if (!isPaced && !lane.mayGoUnpaced(clock)) {
        // It might when it was given its place.
        lanes.enqueue(lane);
        continue;
      }
      if (isPaced) pacedLanes += 1;
      if (!lane.hasRoom()) continue;
      const turns = lane.standing() === "well" ? maximumTurns : maximumTurns * troubledShare;
      // It has attempts under way, and comes back into the ring as each of them ends.
      if (lane.sending > 0 && lane.sending >= (turns - unrecorded) * sharePerFreeTurn) continue;
      const item = lane.take(isPaced);
      if (item === undefined) {
        void fill(lane);
        continue;
      }
      if (isPaced) pace.begin();
      lane.sending += 1;
      lane.unrecorded += 1;
      underWay.begin(lane.partition);
      unrecorded += 1;
      const batches = isPaced ? paced : unpaced;
      const batch = batches.get(lane);
      if (batch === undefined) batches.set(lane, [item]);
      else batch.push(item);
      lanes.enqueue(lane);
    }
    if (lanes.hasPaced()) {
      // Another may have become free since the line was looked at, and nothing else would tell of it.
      if (!pace.mayBegin()) pace.whenMore(pump);
      else if (unrecorded < maximumTurns) pump();
    }
    for (const [lane, items] of unpaced) void takeTurns(lane, items, false);
    for (const [lane, items] of paced) void takeTurns(lane, items, true);
  }

  async function fill(lane: Lane): Promise<void> {
    try {
      await lane.fill(clock.now());
    } catch (error) {
      // Nobody waits for it at the end: the store may be closed by then.
      if (mayBegin()) onFault(error, { ...idsOf(lane), code: codeOf(error, "queues_not_read") });
    }
    const nextRetryAt = lane.nextRetryAt();
    if (nextRetryAt !== undefined) lanes.expectRetry(lane, nextRetryAt);
    lanes.enqueue(lane);
    pump();
  }

  /** @param isPaced whether each of them has taken one of the pace's turns: it is given back to nobody else. */
  async function takeTurns(lane: Lane, items: readonly QueueItem[], isPaced: boolean): Promise<void> {
    try {
      const turns = await prepareTurns(lane.address, items);
      // Reading takes time, and a process may be stopped meanwhile: what another may be sending by now is not begun.
      if (lane.dropped || !mayBegin() || !mayBeginIn(lane.partition, clock.now()))
        for (const { id } of items) putBack(lane, id);
      else for (const turn of turns) takeTurn(lane, turn, isPaced);
    } catch (error) {
      if (items.length > 1 && isOfOneRow(error)) {
        for (const item of items) void takeTurns(lane, [item], isPaced);
        return;
      }
      onFault(error, {
        ...idsOf(lane),
        deliveries: items.length,
        ...(items.length === 1 ? { delivery_id: items[0]?.id } : {}),
        code: codeOf(error, "attempts_not_prepared"),
      });
      for (const { id } of items) putBack(lane, id);
    }
  }

  /** Of what is sent nothing is kept while its answer is waited for. */
  function takeTurn(lane: Lane, { place, delivery, send }: Turn, isPaced: boolean): void {
    if (!send.ok) return finish(lane, place, delivery, { type: "cancelled", reason: send.reason }, isPaced);
    try {
      attempt(send.input).then(
        (made) => finish(lane, place, delivery, { type: "attempted", attempt: made }, isPaced),
        (error: unknown) => fail(lane, delivery, error),
      );
    } catch (error) {
      fail(lane, delivery, error);
    }
  }

  function finish(
    lane: Lane,
    place: QueuePlace,
    delivery: DeliveryRow,
    outcome: Finished["outcome"],
    isPaced: boolean,
  ): void {
    try {
      const standing = lane.standing();
      const endedAt = clock.now();
      const finished = { lane: lane.address, place, delivery, endedAt, standing, outcome };
      // Whoever has the partition now sends it again; a record of ours could only contradict theirs.
      if (lane.dropped) forget(finished);
      else onFinished(lane.partition, finished);
      end(lane, outcome, endedAt);
      if (isPaced && isAcceptedInTime(outcome)) pace.giveBack();
    } catch (error) {
      fail(lane, delivery, error);
    }
  }

  function fail(lane: Lane, { id }: DeliveryRow, error: unknown): void {
    onFault(error, { ...idsOf(lane), delivery_id: id, code: codeOf(error, "attempt_not_made") });
    putBack(lane, id);
  }

  /** The store still holds the delivery: its queue is read again later. */
  function putBack(lane: Lane, id: string): void {
    unrecorded -= 1;
    const now = clock.now();
    lane.putBack(id, now + faultPauseMs);
    lanes.wakeAt(now + faultPauseMs);
    end(lane, undefined, now);
  }

  function end(lane: Lane, outcome: Finished["outcome"] | undefined, now: number): void {
    if (outcome?.type !== "attempted") lane.answered(outcome?.type ?? "none", 0);
    else {
      const { error, duration_ms: durationMs } = outcome.attempt;
      const accepted = error === null;
      lane.answered(accepted ? "accepted" : "failed", durationMs);
      if (accepted && lane.standing() === "well") pace.othersAccepted(now);
    }
    if (lane.standing() === "slow" && lane.isUnknownBacklog()) options.onSlowBacklog(lane);
    lanes.enqueue(lane);
    pump();
    underWay.end(lane.partition);
  }

  function forget({ lane: address, delivery }: Finished): void {
    unrecorded -= 1;
    const lane = lanes.find(address.webhookId);
    // The partition was lost and won back since: what the new lane has under way is another attempt.
    if (lane?.address !== address) return;
    lane.forget(delivery.id);
    lanes.enqueue(lane);
  }

  return {
    sending: underWay.count,
    sendingIn: underWay.countIn,
    unrecorded: () => unrecorded,
    pump,
    forget,
    ended: underWay.ended,
    endedIn: underWay.endedIn,
  };
}

function isAcceptedInTime(outcome: Finished["outcome"]): boolean {
  if (outcome.type !== "attempted") return false;
  const { error, duration_ms: durationMs } = outcome.attempt;
  return error === null && durationMs <= quickAnswerMs;
}

function idsOf({ address: { accountId, webhookId } }: Lane) {
  return { account_id: accountId, webhook_id: webhookId };
}

/** An error of the engine itself says what is wrong by its own code. */
function codeOf(error: unknown, otherwise: LogCode): LogCode {
  return error instanceof DeliveryError ? error.code : otherwise;
}

/** What is wrong neither with the store nor with the webhook's secret is a damaged row: its delivery must not keep the others. */
function isOfOneRow(error: unknown): boolean {
  return !(error instanceof StorageError) && !(error instanceof DeliveryError);
}
