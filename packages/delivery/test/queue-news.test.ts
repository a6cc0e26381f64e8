import { memoryStore } from "@hookwright/storage/memory";
import fc from "fast-check";
import { expect, it } from "vitest";
import { renderDeliveryRow } from "../src/rows/delivery-row.ts";
import type { DeliveryRow } from "../src/rows/delivery-row.ts";
import { keys } from "../src/rows/keys.ts";
import { createLanes } from "../src/scheduler/lanes/lanes.ts";
import { createBriskPace } from "../src/scheduler/scanning/scan-pace.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { accepted } from "./support/fake-transport.ts";
import { createWorld, partition } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";
import { createFinishedTurns } from "./support/finished-turns.ts";

interface BacklogOptions {
  /** For how long they have waited. @default a minute */
  readonly waitedMs?: number;
  /** Whether they were found, and not told of. @default false */
  readonly isFound?: boolean;
}

/** A webhook that is slow, with so many deliveries that have waited; the first of them are in memory. */
async function openBacklog(waiting: number, { waitedMs = 60_000, isFound = false }: BacklogOptions = {}) {
  const clock = createFakeClock();
  const turns = createFinishedTurns({ now: clock.now });
  const store = memoryStore({ now: clock.now });
  const address = turns.accepted().lane;
  const lane = createLanes({ store, clock, onDue: () => {} }).open(address, {
    partition,
    isBacklog: isFound,
  });

  const write = (id: string, value: string) =>
    store.commit(partition, { mutations: [{ type: "set", key: keys.fresh(address, id), value }] });

  async function publish(id?: string): Promise<DeliveryRow> {
    const { delivery } = turns.accepted();
    const row = { ...delivery, id: id ?? delivery.id };
    await write(row.id, renderDeliveryRow(row));
    return row;
  }

  /** Takes what is next, and makes it durable that it is done. */
  async function take(isPaced: boolean): Promise<boolean> {
    if (lane.waiting() === 0) await lane.fill(clock.now());
    // It might go unpaced as long as nobody had read what is next.
    if (!isPaced && !lane.mayGoUnpaced(clock)) return false;
    const item = lane.take(isPaced);
    if (item === undefined) return false;
    await store.commit(partition, { mutations: [{ type: "delete", key: keys.fresh(address, item.id) }] });
    lane.forget(item.id);
    return true;
  }

  /** How many turns without pace it has. */
  async function takeUnpaced(): Promise<number> {
    let taken = 0;
    while (await take(false)) taken += 1;
    return taken;
  }

  lane.sending += 1;
  lane.answered("accepted", 1_500);
  for (let count = 0; count < waiting; count += 1) await publish();
  await clock.advance(waitedMs);
  lane.expectFresh();
  await lane.fill(clock.now());
  const tell = async (): Promise<void> => {
    lane.expectFresh();
    await lane.countNews(clock.now(), createBriskPace().rest);
  };
  return { clock, lane, write, publish, tell, take, takeUnpaced };
}

it("what another process publishes behind much that waits has turns once it is told of, and none when it is read", async () => {
  const { publish, tell, take, takeUnpaced } = await openBacklog(40);
  expect(await takeUnpaced()).toBe(0);
  for (let count = 0; count < 3; count += 1) await publish();
  await tell();
  await tell();
  expect(await takeUnpaced()).toBe(3);
  await tell();
  let left = 0;
  while (await take(true)) {
    left += 1;
    expect(await takeUnpaced()).toBe(0);
  }
  expect(left).toBe(40);
});

it("what is told of after something newer, by a process whose clock is behind, has its turn as well", async () => {
  const { publish, tell, takeUnpaced } = await openBacklog(40);
  const { id } = await publish();
  await tell();
  await publish(`${id.slice(0, -1)}!`);
  await tell();
  expect(await takeUnpaced()).toBe(2);
});

it("what cannot be read, or was published long ago, is no news, and keeps nobody else from being counted", async () => {
  const { clock, write, publish, tell, takeUnpaced } = await openBacklog(40);
  await publish();
  await clock.advance(30_000);
  await write("dlv_99999998", "damaged");
  await publish("dlv_99999999");
  await tell();
  expect(await takeUnpaced()).toBe(1);
});

it.each([
  { waiting: 250, unpaced: 250 + 3 },
  { waiting: 300, unpaced: 2 },
])(
  "of $waiting deliveries that were published right before they were found, and three that follow, $unpaced have turns without pace",
  async ({ waiting, unpaced }) => {
    const { publish, tell, takeUnpaced } = await openBacklog(waiting, { waitedMs: 1_000, isFound: true });
    expect(await takeUnpaced()).toBe(0);
    await publish();
    await tell();
    await publish();
    await publish();
    await tell();
    expect(await takeUnpaced()).toBe(unpaced);
  },
);

it("what is so far behind the newest that it is not looked at is counted when it is read, as long as it is young", async () => {
  const { publish, tell, take, takeUnpaced } = await openBacklog(8);
  const { id } = await publish();
  for (let count = 0; count < 20; count += 1) await publish();
  await tell();
  // Its clock is behind by more than all of these took.
  await publish(`${id.slice(0, -1)}!`);
  await tell();
  let unpaced = await takeUnpaced();
  expect(unpaced).toBe(21);
  while (await take(true)) unpaced += await takeUnpaced();
  expect(unpaced).toBe(22);
});

it("what this process has published, and was read when it was old, stands for nothing that is published later", async () => {
  const { clock, lane, publish, tell, take, takeUnpaced } = await openBacklog(40);
  for (let count = 0; count < 3; count += 1) lane.offer(await publish(), clock.now());
  await clock.advance(31_000);
  while (await take(true)) expect(await takeUnpaced()).toBe(0);
  await publish();
  await tell();
  expect(await takeUnpaced()).toBe(1);
});

it("a count that fails because everything is being closed is nobody's fault", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  world.transport.answerWith(() => ({ ...accepted(), durationMs: 1_500 }));
  const scheduler = world.scheduler();
  await scheduler.start();
  await world.addWebhook("wh_1");
  const { promise: counting, resolve: begin } = Promise.withResolvers<void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  world.store.onList = async (options, next) => {
    if (!options.reverse) return next(options);
    begin();
    await closed;
    throw new Error("closed");
  };
  await world.publishElsewhere("wh_1", "ord_1");
  await world.clock.advance(100);
  await world.publishElsewhere("wh_1", "ord_2");
  await counting;
  await scheduler.close();
  close();
  await world.clock.advance(100);
  expect(world.faults).toEqual([]);
});

it("whoever publishes, and however much is read meanwhile, there are as many turns without pace as deliveries", async () => {
  const step = fc.record({
    here: fc.nat({ max: 40 }),
    elsewhere: fc.nat({ max: 40 }),
    paced: fc.nat({ max: 20 }),
    isReadFirst: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 60 }), fc.array(step, { maxLength: 12 }), async (waiting, steps) => {
      const { clock, lane, publish, tell, take, takeUnpaced } = await openBacklog(waiting);
      let [published, left] = [0, waiting];
      for (const { here, elsewhere, paced, isReadFirst } of steps) {
        for (let count = 0; count < here; count += 1) lane.offer(await publish(), clock.now());
        for (let count = 0; count < elsewhere; count += 1) await publish();
        published += here + elsewhere;
        left += here + elsewhere;
        if (!isReadFirst) await tell();
        for (let count = 0; count < paced && (await take(true)); count += 1) left -= 1;
        if (isReadFirst) await tell();
      }
      expect(await takeUnpaced()).toBe(Math.min(published, left));
    }),
  );
});
