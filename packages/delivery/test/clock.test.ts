import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../src/clock.ts";
import { accepted, hanging, noAnswer } from "./support/fake-transport.ts";
import type { Answering } from "./support/fake-transport.ts";
import { createWorld } from "./support/fake-world.ts";

const hour = 3_600_000;
const jumps = [
  ["an hour forward", hour],
  ["an hour back", -hour],
  ["a day forward", 24 * hour],
  ["a day back", -24 * hour],
] as const;

describe.each(jumps)("a wall clock that is set %s", (_, jump) => {
  /** A world whose wall clock can be set without the clock of the worker. */
  async function worldWithWallClock() {
    const world = createWorld();
    let offset = 0;
    await world.addWebhook("wh_1");
    const worker = world.worker({ wallClock: () => world.clock.now() + offset });
    await worker.start();
    return { world, worker, setWallClock: () => void (offset = jump) };
  }

  it("does not change when a retry is sent", async () => {
    const { world, worker, setWallClock } = await worldWithWallClock();
    world.transport.answerWith(noAnswer);
    worker.offer("acc_1", await world.publish("wh_1", "ord_1"));
    await world.clock.advance(20_000);
    expect(world.transport.sent).toHaveLength(2);
    setWallClock();
    await world.clock.advance(54_999);
    expect(world.transport.sent).toHaveLength(2);
    await world.clock.advance(30 * 60_000);
    const times = world.transport.sent.map(({ at }) => at);
    expect(times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1_000)).toEqual([
      15, 60, 240, 540, 900,
    ]);
    expect(world.errors).toEqual([]);
    await worker.close();
  });

  it("delays no new delivery and sends none twice", async () => {
    const { world, worker, setWallClock } = await worldWithWallClock();
    world.transport.answerWith(accepted);
    worker.offer("acc_1", await world.publish("wh_1", "ord_1"));
    await world.clock.advance(1_000);
    setWallClock();
    worker.offer("acc_1", await world.publish("wh_1", "ord_2", "ord_3"));
    await world.clock.advance(0);
    expect(world.transport.sent).toHaveLength(3);
    await world.clock.advance(hour);
    expect([...world.transport.counts().values()]).toEqual([1, 1, 1]);
    expect(await world.queued()).toEqual([]);
    await worker.close();
  });

  it("does not change which partitions are leased", async () => {
    const { world, worker, setWallClock } = await worldWithWallClock();
    setWallClock();
    await world.clock.advance(5 * 60_000);
    expect(worker.heldPartitions()).toEqual([world.partition]);
    expect(worker.running).toBe(true);
    await worker.close();
  });

  it("changes the signed timestamp, which receivers compare with their own clock", async () => {
    const { world, worker, setWallClock } = await worldWithWallClock();
    setWallClock();
    worker.offer("acc_1", await world.publish("wh_1", "ord_1"));
    await world.clock.advance(0);
    const [sent] = world.transport.sent;
    expect(Number(sent?.headers["x-service-timestamp"])).toBe(
      Math.floor(((sent?.at ?? Number.NaN) + jump) / 1_000),
    );
    await worker.close();
  });

  it("does not change the clock of the worker", () => {
    const before = systemClock.now();
    const wall = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: wall + jump });
    try {
      expect(Date.now() - wall).toBe(jump);
      expect(systemClock.now() - before).toBeGreaterThanOrEqual(0);
      expect(systemClock.now() - before).toBeLessThan(60_000);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a wall clock that is set back a day while no process runs", () => {
  /** A world whose retries were scheduled before the clock was set back. */
  async function createCase(
    orders: readonly string[],
    { passedMs = 80_000, answering = noAnswer }: { passedMs?: number; answering?: Answering } = {},
  ) {
    const world = createWorld();
    world.transport.answerWith(answering);
    await world.addWebhook("wh_1");
    const before = world.worker();
    await before.start();
    const deliveries = await world.publish("wh_1", ...orders);
    before.offer("acc_1", deliveries);
    await world.clock.advance(passedMs);
    await before.close();
    const sentBefore = world.transport.sent.length;
    world.clock.jump(-24 * hour);
    return { world, deliveries, sentBefore };
  }

  it("makes scheduled retries due at once, and the later attempts follow the schedule", async () => {
    const { world, deliveries, sentBefore } = await createCase(["ord_1"]);
    expect(sentBefore).toBe(3);
    const start = world.clock.now();
    await using worker = world.worker();
    await worker.start();
    const id = deliveries[0]?.id ?? "";
    await world.clock.advance(35 * 60_000);
    const times = world.transport.sent.slice(sentBefore).map(({ at }) => (at - start) / 1_000);
    expect(times).toEqual([0, 540, 1_440]);
    expect(await world.delivery(id)).toMatchObject({ status: "failed", next_attempt_at: null });
    expect(await world.queued()).toEqual([]);
    expect(world.errors).toEqual([]);
  });

  it("makes every retry of a long queue due, and sends none twice", async () => {
    const orders = Array.from({ length: 200 }, (_, index) => `ord_${index}`);
    // Each tenth delivery is accepted, so that the webhook is not switched off.
    const answering: Answering = ({ body }) => (body.includes('0"}') ? accepted() : noAnswer());
    const { world, deliveries, sentBefore } = await createCase(orders, { passedMs: 10_000, answering });
    world.transport.answerWith(accepted);
    const retries = (await world.queued()).filter(({ key }) => key[1] === "retry");
    expect(retries.length).toBeGreaterThan(64);
    await using worker = world.worker();
    await worker.start();
    await world.clock.advance(16_000);
    const sent = world.transport.sent.slice(sentBefore).map(({ headers }) => headers["x-service-delivery"]);
    expect(new Set(sent).size).toBe(sent.length);
    expect(retries.filter(({ key }) => !sent.includes(String(key.at(-1))))).toEqual([]);
    for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("delivered");
    expect(await world.queued()).toEqual([]);
  });

  it("cancels the retries at once if their webhook was removed meanwhile", async () => {
    const { world, deliveries, sentBefore } = await createCase(["ord_1", "ord_2"]);
    await world.removeWebhook("wh_1");
    await using worker = world.worker();
    await worker.start();
    await world.clock.advance(1_000);
    for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("cancelled");
    expect(await world.queued()).toEqual([]);
    expect(world.transport.sent.length).toBe(sentBefore);
  });
});

it("a retry that is due within the longest delay keeps its due time", async () => {
  const world = createWorld();
  world.transport.answerWith(noAnswer);
  await world.addWebhook("wh_1");
  const before = world.worker();
  await before.start();
  before.offer("acc_1", await world.publish("wh_1", "ord_1"));
  await world.clock.advance(900_000);
  await before.close();
  const queued = await world.queued();
  // By this clock it is due in 15 min 55 s. With jitter, a delay of 15 min can be that long.
  world.clock.jump(-60_000);
  await using worker = world.worker();
  await worker.start();
  await world.clock.advance(1_000);
  expect(await world.queued()).toEqual(queued);
});

it("a backlog that fell due while the machine slept for a day is sent within the limit of the endpoint", async () => {
  const world = createWorld();
  // Eight attempts fail and the others hang. Thirty failures would switch the webhook off.
  let failures = 0;
  const hung = hanging();
  world.transport.answerWith(() => ((failures += 1) <= 8 ? noAnswer() : hung.answer));
  await world.addWebhook("wh_1");
  const worker = world.worker();
  await worker.start();
  const ids = Array.from({ length: 200 }, (_, index) => `ord_${index}`);
  worker.offer("acc_1", await world.publish("wh_1", ...ids));
  await world.clock.advance(50);
  let atOnce = 0;
  let most = 0;
  world.transport.answerWith(async () => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    return accepted();
  });
  world.clock.jump(24 * hour);
  hung.give(accepted());
  await world.clock.advance(60_000);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(64);
  // The lease expired meanwhile, so the eight attempts in flight are made again.
  expect(world.transport.sent.length).toBe(8 + 200 + 8);
  expect(await world.queued()).toEqual([]);
  await worker.close();
});
