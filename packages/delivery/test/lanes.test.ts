import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { renderDeliveryRow } from "../src/rows/delivery-row.ts";
import type { DeliveryRow } from "../src/rows/delivery-row.ts";
import { keys } from "../src/rows/keys.ts";
import { faultPauseMs } from "../src/scheduler/lanes/lane-queue.ts";
import { createLanes } from "../src/scheduler/lanes/lanes.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { partition } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";
import { createFinishedTurns } from "./support/finished-turns.ts";

it("a webhook whose turns are put back one after the other comes to its next turn once it has rested from the last", async () => {
  const clock = createFakeClock();
  const { accepted } = createFinishedTurns({ now: clock.now });
  const deliveries = [accepted(), accepted(), accepted()].map(({ delivery }) => delivery);
  const lanes = createLanes({ store: memoryStore({ now: clock.now }), clock, onDue: () => {} });
  const lane = lanes.open(accepted().lane, { partition: "p00", isBacklog: false });
  for (const delivery of deliveries) lane.offer(delivery, clock.now());

  function putBackNext(): void {
    const { id = "" } = lane.take() ?? {};
    lane.putBack(id, clock.now() + faultPauseMs);
    lanes.wakeAt(clock.now() + faultPauseMs);
  }

  putBackNext();
  await clock.advance(5);
  putBackNext();
  await clock.advance(faultPauseMs - 1);
  expect(lanes.next({ paced: false })).toBeUndefined();
  await clock.advance(1);
  expect(lanes.next({ paced: false })?.lane).toBe(lane);
  expect(lane.take()?.id).toBe(deliveries[2]?.id);
});

it("a webhook of which a turn is put back while its queue is being read comes to its next turn after that rest", async () => {
  const clock = createFakeClock();
  const turns = createFinishedTurns({ now: clock.now });
  const [underWay, written] = [turns.accepted(), turns.accepted()];
  const store = toFaultyStore(memoryStore({ now: clock.now }));
  const place = keys.fresh(written.lane, written.delivery.id);
  const value = renderDeliveryRow(written.delivery);
  await store.commit(partition, { mutations: [{ type: "set", key: place, value }] });
  const { promise: listed, resolve: list } = Promise.withResolvers<void>();
  store.onList = async (options, next) => {
    await listed;
    return next(options);
  };
  const lanes = createLanes({ store, clock, onDue: () => {} });
  const lane = lanes.open(underWay.lane, { partition, isBacklog: false });
  lane.offer(underWay.delivery, clock.now());
  lane.take();
  // As after an earlier rest, which is over.
  lane.expectFresh();
  lane.expectRetry(clock.now());
  const filled = lane.fill(clock.now());
  lane.putBack(underWay.delivery.id, clock.now() + faultPauseMs);
  lanes.wakeAt(clock.now() + faultPauseMs);
  list();
  await filled;
  // Who looks around passes it by.
  expect(lane.isFed(written.delivery.id)).toBe(true);
  await clock.advance(faultPauseMs - 1);
  expect(lanes.next({ paced: false })).toBeUndefined();
  await clock.advance(1);
  expect(lanes.next({ paced: false })?.lane).toBe(lane);
});

it("what becomes a retry while what is fresh is being read, and is due by then, comes to its turn", async () => {
  const clock = createFakeClock();
  const { lane: address, delivery } = createFinishedTurns({ now: clock.now }).accepted();
  const store = toFaultyStore(memoryStore({ now: clock.now }));
  const { promise: listed, resolve: list } = Promise.withResolvers<void>();
  store.onList = async (options, next) => {
    const entries = await next(options);
    if (options.prefix[1] === "fresh") await listed;
    return entries;
  };
  const lanes = createLanes({ store, clock, onDue: () => {} });
  const lane = lanes.open(address, { partition, isBacklog: false });
  lane.offer(delivery, clock.now());
  lane.take();
  lane.expectFresh();
  lane.expectRetry(clock.now() - 500);
  const filled = lane.fill(clock.now());
  // Its record was held up for longer than its delay.
  const dueAt = clock.now() - 100;
  await store.commit(partition, {
    mutations: [{ type: "set", key: keys.retry(address, dueAt, delivery.id), value: "" }],
  });
  lane.forget(delivery.id);
  lane.expectRetry(dueAt);
  list();
  await filled;
  expect(lane.take()).toEqual({ type: "retry", id: delivery.id, dueAt });
});

it("what is put back of a webhook that is gone is not waited for until it would be due", async () => {
  const clock = createFakeClock();
  const { lane: address, delivery } = createFinishedTurns({ now: clock.now }).accepted();
  const store = memoryStore({ now: clock.now });
  const dueAt = clock.now() + 900_000;
  await store.commit(partition, {
    mutations: [{ type: "set", key: keys.retry(address, dueAt, delivery.id), value: "" }],
  });
  const lanes = createLanes({ store, clock, onDue: () => {} });
  const lane = lanes.open(address, { partition, isBacklog: false });
  lane.drain();
  await lane.fill(clock.now());
  expect(lane.take()?.id).toBe(delivery.id);
  lane.putBack(delivery.id, clock.now() + faultPauseMs);
  expect(lane.hasWork(clock)).toBe(false);
  await clock.advance(faultPauseMs);
  expect(lane.hasWork(clock)).toBe(true);
  await lane.fill(clock.now());
  expect(lane.take()?.id).toBe(delivery.id);
});

it("what has had its turn is not kept in memory, though the queue of a busy webhook is never empty", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const clock = createFakeClock();
  const { accepted } = createFinishedTurns({ now: clock.now });
  const lanes = createLanes({ store: memoryStore({ now: clock.now }), clock, onDue: () => {} });
  const lane = lanes.open(accepted().lane, { partition, isBacklog: false });
  const order: (string | undefined)[] = [];
  const offered: string[] = [];

  function offer(): WeakRef<DeliveryRow> {
    const { delivery } = accepted();
    offered.push(delivery.id);
    lane.offer(delivery, clock.now());
    return new WeakRef(delivery);
  }
  function takeTurn(): void {
    const id = lane.take()?.id;
    order.push(id);
    lane.forget(id ?? "");
  }

  const first = offer();
  for (let count = 0; count < 3_000; count++) {
    offer();
    takeTurn();
  }
  // A turn of the event loop later: until then a reference holds what was looked at.
  await clock.advance(0);
  collect();
  expect(first.deref()).toBeUndefined();
  expect(lane.waiting()).toBe(1);
  takeTurn();
  expect(order).toEqual(offered);
});

it.each([
  { standing: "well", durationMs: 20, held: 256 },
  { standing: "slow", durationMs: 1_500, held: 16 },
] as const)(
  "a webhook that stands $standing and has earned all its room is read $held deliveries ahead, and none is left out",
  async ({ standing, durationMs, held }) => {
    const { clock, lane, queue, removeRow } = openLane();
    const written = await queue(600);
    lane.expectFresh();
    const taken: string[] = [];
    let mostHeld = 0;
    while (lane.hasWork(clock)) {
      if (lane.waiting() === 0) await lane.fill(clock.now());
      // By then it has earned all of it, and taken what was read before.
      if (taken.length > 100) mostHeld = Math.max(mostHeld, lane.waiting());
      const { id = "" } = lane.take() ?? {};
      taken.push(id);
      lane.sending += 1;
      lane.answered("accepted", durationMs);
      await removeRow(id);
      lane.forget(id);
    }
    expect(lane.standing()).toBe(standing);
    expect(mostHeld).toBe(held);
    expect(taken).toEqual(written.map(({ id }) => id));
  },
);

it("of what is published for a webhook that is slow 16 deliveries are held in memory, and the others read back in their order", async () => {
  const { clock, lane, queue } = openLane();
  lane.sending += 1;
  lane.answered("accepted", 1_500);
  const written = await queue(40);
  written.forEach(lane.offer);
  expect(lane.waiting()).toBe(16);
  const taken: (string | undefined)[] = [];
  while (lane.hasWork(clock)) {
    if (lane.waiting() === 0) await lane.fill(clock.now());
    else taken.push(lane.take()?.id);
  }
  expect(taken).toEqual(written.map(({ id }) => id));
});

function openLane() {
  const clock = createFakeClock();
  const { accepted } = createFinishedTurns({ now: clock.now });
  const store = memoryStore({ now: clock.now });
  const address = accepted().lane;
  const lane = createLanes({ store, clock, onDue: () => {} }).open(address, { partition, isBacklog: false });

  async function queue(count: number): Promise<readonly DeliveryRow[]> {
    const deliveries = Array.from({ length: count }, () => accepted().delivery);
    const mutations = deliveries.map((delivery) => ({
      type: "set" as const,
      key: keys.fresh(address, delivery.id),
      value: renderDeliveryRow(delivery),
    }));
    await store.commit(partition, { mutations });
    return deliveries;
  }

  const removeRow = (id: string) =>
    store.commit(partition, { mutations: [{ type: "delete", key: keys.fresh(address, id) }] });
  return { clock, lane, queue, removeRow };
}

it("a webhook whose standing changes while it waits changes to the line of the others that stand so", async () => {
  const clock = createFakeClock();
  const { accepted } = createFinishedTurns({ now: clock.now });
  const lanes = createLanes({ store: memoryStore({ now: clock.now }), clock, onDue: () => {} });
  const { lane: address, delivery } = accepted();
  const lane = lanes.open(address, { partition, isBacklog: false });
  lane.offer(delivery, clock.now());
  for (let failures = 0; failures < 3; failures++) lane.answered("failed", 20);
  lanes.enqueue(lane);
  expect(lanes.next({ paced: false })).toBeUndefined();
  // Its webhook is removed: what waits for it is cancelled now.
  lane.drain();
  lanes.enqueue(lane);
  expect(lanes.next({ paced: false })?.lane).toBe(lane);
  expect(lanes.next({ paced: true })).toBeUndefined();
});

/** A webhook that is slow, with a retry that has fallen due in front of what else there is. */
async function createSlowLane() {
  const clock = createFakeClock();
  const turns = createFinishedTurns({ now: clock.now });
  const { lane: address, delivery: retried } = turns.accepted();
  const store = memoryStore({ now: clock.now });
  const dueAt = clock.now();
  await store.commit(partition, {
    mutations: [{ type: "set", key: keys.retry(address, dueAt, retried.id), value: "" }],
  });
  const lanes = createLanes({ store, clock, onDue: () => {} });
  const lane = lanes.open(address, { partition, isBacklog: false });
  lane.answered("accepted", 1_001);
  lanes.expectRetry(lane, dueAt);
  /** Whether it comes to a turn that is paced, or to one that is not. */
  const next = (): "paced" | "unpaced" | undefined => {
    lanes.enqueue(lane);
    // It may have lost that while it stood in the line.
    while (lanes.next({ paced: false }) !== undefined) if (lane.mayGoUnpaced(clock)) return "unpaced";
    return lanes.next({ paced: true }) && "paced";
  };
  return { clock, store, address, lane, turns, next };
}

it("of a webhook that is slow what is fresh in the store is read at once, and a retry is paced", async () => {
  const { clock, lane, next } = await createSlowLane();
  expect(next()).toBe("paced");
  lane.expectFresh();
  expect(next()).toBe("unpaced");
  expect(lane.take()).toBeUndefined();
  await lane.fill(clock.now());
  expect(next()).toBe("paced");
});

it("a webhook that is slow has a turn that is not paced for each delivery that was published lately, whatever comes first in its queue", async () => {
  const { clock, lane, turns, next } = await createSlowLane();
  await lane.fill(clock.now());
  lane.offer(turns.accepted().delivery, clock.now());
  lane.offer(turns.accepted().delivery, clock.now());
  for (const type of ["retry", "fresh"]) {
    expect(next()).toBe("unpaced");
    expect(lane.take()?.type).toBe(type);
  }
  expect(next()).toBe("paced");
  lane.offer(turns.accepted().delivery, clock.now());
  expect(next()).toBe("unpaced");
  await clock.advance(30_000);
  expect(next()).toBe("paced");
});

it("a webhook that is slow keeps its place among the slow, whatever is published to it, and a paced turn there is none of those for it", async () => {
  const clock = createFakeClock();
  const turns = createFinishedTurns({ now: clock.now });
  const lanes = createLanes({ store: memoryStore({ now: clock.now }), clock, onDue: () => {} });
  const slow = ["wh_1", "wh_2"].map((webhookId) => {
    const lane = lanes.open(turns.accepted({ webhookId }).lane, { partition, isBacklog: false });
    lane.answered("accepted", 1_001);
    for (let index = 0; index < 8; index += 1)
      lane.offer(turns.accepted({ webhookId }).delivery, clock.now());
    return lane;
  });
  const [one, other] = slow;
  await clock.advance(30_000);
  for (const lane of slow) lanes.enqueue(lane);
  for (let published = 0; published < 3; published += 1) {
    one?.offer(turns.accepted({ webhookId: "wh_1" }).delivery, clock.now());
    if (one !== undefined) lanes.enqueue(one);
    expect(lanes.next({ paced: true })).toEqual({ lane: one, isPaced: false });
    one?.take(false);
    if (one !== undefined) lanes.enqueue(one);
  }
  one?.offer(turns.accepted({ webhookId: "wh_1" }).delivery, clock.now());
  expect(lanes.next({ paced: true })).toEqual({ lane: one, isPaced: true });
  one?.take(true);
  expect(one?.mayGoUnpaced(clock)).toBe(true);
  expect(lanes.next({ paced: true })).toEqual({ lane: other, isPaced: true });
});

it("those that do well and those that are slow and go unpaced take turns", async () => {
  const clock = createFakeClock();
  const turns = createFinishedTurns({ now: clock.now });
  const lanes = createLanes({ store: memoryStore({ now: clock.now }), clock, onDue: () => {} });
  const [slow, well] = ["wh_1", "wh_2"].map((webhookId) => {
    const { lane: address } = turns.accepted({ webhookId });
    const lane = lanes.open(address, { partition, isBacklog: false });
    if (webhookId === "wh_1") lane.answered("accepted", 1_001);
    for (let index = 0; index < 8; index += 1)
      lane.offer(turns.accepted({ webhookId }).delivery, clock.now());
    lanes.enqueue(lane);
    return lane;
  });
  const order = [1, 2, 3, 4].map(() => {
    const next = lanes.next({ paced: false })?.lane;
    next?.take();
    if (next !== undefined) lanes.enqueue(next);
    return next;
  });
  expect(order).toEqual([well, slow, well, slow]);
});

it("of a webhook that is slow what is published here counts once, whether it is kept in memory or read again", async () => {
  const { clock, store, address, lane, turns, next } = await createSlowLane();
  await lane.fill(clock.now());
  const deliveries = Array.from({ length: 20 }, () => turns.accepted().delivery);
  const mutations = deliveries.map(
    (delivery) =>
      ({
        type: "set",
        key: keys.fresh(address, delivery.id),
        value: renderDeliveryRow(delivery),
      }) as const,
  );
  await store.commit(partition, { mutations });
  for (const delivery of deliveries) lane.offer(delivery, clock.now());
  // Fifteen of them and the retry are in memory, and the rest is read.
  const had: string[] = [];
  for (let kind = next(); kind !== undefined; kind = next()) {
    if (lane.take(kind === "paced") === undefined) await lane.fill(clock.now());
    else had.push(kind);
  }
  expect(had).toEqual([...deliveries.map(() => "unpaced"), "paced"]);
});

it("of a webhook that is slow what is read before it is offered counts once", async () => {
  const { clock, store, address, lane, turns, next } = await createSlowLane();
  const { delivery } = turns.accepted();
  const value = renderDeliveryRow(delivery);
  await store.commit(partition, {
    mutations: [{ type: "set", key: keys.fresh(address, delivery.id), value }],
  });
  lane.expectFresh();
  await lane.fill(clock.now());
  lane.offer(delivery, clock.now());
  expect(next()).toBe("unpaced");
  lane.take();
  expect(next()).toBe("paced");
});

it.each([
  { publishedBeforeMs: 29_999, is: "unpaced" },
  { publishedBeforeMs: 30_000, is: "paced" },
  // By the clock of the one that published it, which is ahead.
  { publishedBeforeMs: -29_999, is: "unpaced" },
  { publishedBeforeMs: -30_000, is: "paced" },
])(
  "of a webhook that is slow what is read and was published $publishedBeforeMs ms before is $is",
  async ({ publishedBeforeMs, is }) => {
    const { clock, store, address, lane, turns, next } = await createSlowLane();
    const { delivery } = turns.accepted();
    const value = renderDeliveryRow({ ...delivery, created_at: clock.now() - publishedBeforeMs });
    await store.commit(partition, {
      mutations: [{ type: "set", key: keys.fresh(address, delivery.id), value }],
    });
    lane.expectFresh();
    await lane.fill(clock.now());
    expect(next()).toBe(is);
  },
);

it("a webhook whose standing goes there and back while it waits stands in the line once, at its end", async () => {
  const clock = createFakeClock();
  const turns = createFinishedTurns({ now: clock.now });
  const lanes = createLanes({ store: memoryStore({ now: clock.now }), clock, onDue: () => {} });
  const [flapping, failing] = ["wh_1", "wh_2"].map((webhookId) => {
    const { lane: address, delivery } = turns.accepted({ webhookId });
    const lane = lanes.open(address, { partition, isBacklog: false });
    for (let failures = 0; failures < 5; failures++) lane.answered("failed", 20);
    lane.offer(delivery, clock.now());
    lanes.enqueue(lane);
    return lane;
  });
  for (const result of ["accepted", "failed"] as const) {
    flapping?.answered(result, 20);
    if (flapping !== undefined) lanes.enqueue(flapping);
  }
  const order = [1, 2, 3].map(() => lanes.next({ paced: true })?.lane);
  expect(order).toEqual([failing, flapping, undefined]);
});

it("a resend that is committed after others with a later id is found by the pass that those have brought behind it", async () => {
  const clock = createFakeClock();
  const turns = createFinishedTurns({ now: clock.now });
  const [resent, ...written] = [turns.accepted(), ...Array.from({ length: 40 }, () => turns.accepted())];
  const store = memoryStore({ now: clock.now });
  const write = (...given: (typeof resent)[]) =>
    store.commit(partition, {
      mutations: given.map(({ lane, delivery }) => ({
        type: "set",
        key: keys.fresh(lane, delivery.id),
        value: renderDeliveryRow(delivery),
      })),
    });
  await write(...written);
  const lanes = createLanes({ store, clock, onDue: () => {} });
  const lane = lanes.open(resent.lane, { partition, isBacklog: false });
  lane.expectFresh();
  await lane.fill(clock.now());
  await write(resent);
  lane.offer(resent.delivery, clock.now());
  const taken: (string | undefined)[] = [];
  for (let passes = 0; passes < 10 && lane.hasWork(clock); passes++) {
    for (let item = lane.take(); item !== undefined; item = lane.take()) taken.push(item.id);
    await lane.fill(clock.now());
  }
  expect(taken).toContain(resent.delivery.id);
  expect(taken).toHaveLength(41);
});

it("ten thousand webhooks that do well and have a backlog each are not read far ahead", async () => {
  const clock = createFakeClock();
  const { accepted } = createFinishedTurns({ now: clock.now });
  const store = toFaultyStore(memoryStore({ now: clock.now }));
  const limits: (number | undefined)[] = [];
  store.onList = (options, next) => {
    limits.push(options.limit);
    return next(options);
  };
  const lanes = createLanes({ store, clock, onDue: () => {} });
  const { lane: address } = accepted();
  const lane = lanes.open(address, { partition, isBacklog: false });
  for (let answers = 0; answers < 100; answers++) lane.answered("accepted", 20);
  lane.expectFresh();
  await lane.fill(clock.now());
  for (let index = 0; index < 9_999; index++)
    lanes.open({ ...address, webhookId: `wh_${index}` }, { partition, isBacklog: false });
  lane.expectFresh();
  await lane.fill(clock.now());
  expect(limits).toEqual([256, 6]);
});
