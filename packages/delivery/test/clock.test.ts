import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../src/time/clock.ts";
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
  /** A world whose wall clock can be set while the scheduler's own goes on. */
  async function worldWithWallClock() {
    const world = createWorld();
    let offset = 0;
    await world.addWebhook("wh_1");
    const scheduler = world.scheduler({ wallClock: () => world.clock.now() + offset });
    await scheduler.start();
    return { world, scheduler, setWallClock: () => void (offset = jump) };
  }

  it("neither hastens nor delays a retry", async () => {
    const { world, scheduler, setWallClock } = await worldWithWallClock();
    world.transport.answerWith(noAnswer);
    scheduler.offer("acc_1", await world.publish("wh_1", "ord_1"));
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
    expect(world.faults).toEqual([]);
    await scheduler.close();
  });

  it("keeps no new delivery waiting and sends none twice", async () => {
    const { world, scheduler, setWallClock } = await worldWithWallClock();
    world.transport.answerWith(accepted);
    scheduler.offer("acc_1", await world.publish("wh_1", "ord_1"));
    await world.clock.advance(1_000);
    setWallClock();
    scheduler.offer("acc_1", await world.publish("wh_1", "ord_2", "ord_3"));
    await world.clock.advance(0);
    expect(world.transport.sent).toHaveLength(3);
    await world.clock.advance(hour);
    expect([...world.transport.counts().values()]).toEqual([1, 1, 1]);
    expect(await world.queued()).toEqual([]);
    await scheduler.close();
  });

  it("leaves the leases where they are", async () => {
    const { world, scheduler, setWallClock } = await worldWithWallClock();
    setWallClock();
    await world.clock.advance(5 * 60_000);
    expect(scheduler.heldPartitions()).toEqual([world.partition]);
    expect(scheduler.running).toBe(true);
    await scheduler.close();
  });

  it("shows in the time that is signed, which receivers compare with theirs", async () => {
    const { world, scheduler, setWallClock } = await worldWithWallClock();
    setWallClock();
    scheduler.offer("acc_1", await world.publish("wh_1", "ord_1"));
    await world.clock.advance(0);
    const [sent] = world.transport.sent;
    expect(Number(sent?.headers["x-service-timestamp"])).toBe(
      Math.floor(((sent?.at ?? Number.NaN) + jump) / 1_000),
    );
    await scheduler.close();
  });

  it("does not move the clock that the scheduler goes by", () => {
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
  /** Retries of an hour that has not come yet, and a process that starts now. */
  async function worldOfYesterday(
    orders: readonly string[],
    { passedMs = 80_000, answering = noAnswer }: { passedMs?: number; answering?: Answering } = {},
  ) {
    const world = createWorld();
    world.transport.answerWith(answering);
    await world.addWebhook("wh_1");
    const before = world.scheduler();
    await before.start();
    const deliveries = await world.publish("wh_1", ...orders);
    before.offer("acc_1", deliveries);
    await world.clock.advance(passedMs);
    await before.close();
    const sentBefore = world.transport.sent.length;
    world.clock.jump(-24 * hour);
    return { world, deliveries, sentBefore };
  }

  it("begins the delays of waiting retries anew, and the schedule goes on from there", async () => {
    const { world, deliveries, sentBefore } = await worldOfYesterday(["ord_1"]);
    expect(sentBefore).toBe(3);
    const start = world.clock.now();
    await using scheduler = world.scheduler();
    await scheduler.start();
    const id = deliveries[0]?.id ?? "";
    const waiting = await world.delivery(id);
    // Two were tried again, so the third delay is under way: the console tells the time of the next try as it is now.
    expect(waiting.next_attempt_at).toBe(start + 240_000);
    expect(waiting.attempts.at(-1)?.next_attempt_at).toBe(start + 240_000);
    await world.clock.advance(35 * 60_000);
    const times = world.transport.sent.slice(sentBefore).map(({ at }) => (at - start) / 1_000);
    expect(times).toEqual([240, 780, 1_680]);
    expect(await world.delivery(id)).toMatchObject({ status: "failed", next_attempt_at: null });
    expect(await world.queued()).toEqual([]);
    expect(world.faults).toEqual([]);
  });

  it("brings every one of a long queue forward, and sends none twice", async () => {
    const orders = Array.from({ length: 200 }, (_, index) => `ord_${index}`);
    // Every tenth is accepted, so that the webhook is not switched off.
    const answering: Answering = ({ body }) => (body.includes('0"}') ? accepted() : noAnswer());
    const { world, deliveries, sentBefore } = await worldOfYesterday(orders, { passedMs: 10_000, answering });
    world.transport.answerWith(accepted);
    const retries = (await world.queued()).filter(({ key }) => key[1] === "retry");
    // More than are moved in one commit.
    expect(retries.length).toBeGreaterThan(64);
    await using scheduler = world.scheduler();
    await scheduler.start();
    await world.clock.advance(16_000);
    const sent = world.transport.sent.slice(sentBefore).map(({ headers }) => headers["x-service-delivery"]);
    expect(new Set(sent).size).toBe(sent.length);
    expect(retries.filter(({ key }) => !sent.includes(String(key.at(-1))))).toEqual([]);
    for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("delivered");
    expect(await world.queued()).toEqual([]);
  });

  it("cancels them at once where their webhook was removed meanwhile", async () => {
    const { world, deliveries, sentBefore } = await worldOfYesterday(["ord_1", "ord_2"]);
    await world.removeWebhook("wh_1");
    await using scheduler = world.scheduler();
    await scheduler.start();
    await world.clock.advance(1_000);
    for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("cancelled");
    expect(await world.queued()).toEqual([]);
    expect(world.transport.sent.length).toBe(sentBefore);
  });
});

it("a retry that is due within the longest delay stays where it is", async () => {
  const world = createWorld();
  world.transport.answerWith(noAnswer);
  await world.addWebhook("wh_1");
  const before = world.scheduler();
  await before.start();
  before.offer("acc_1", await world.publish("wh_1", "ord_1"));
  await world.clock.advance(900_000);
  await before.close();
  const queued = await world.queued();
  // Its delay of 15 min is to end in 15 min 55 s by this clock: late, and possible.
  world.clock.jump(-60_000);
  await using scheduler = world.scheduler();
  await scheduler.start();
  await world.clock.advance(1_000);
  expect(await world.queued()).toEqual(queued);
});

it("a backlog that fell due in a day's sleep is sent once, not as one flood", async () => {
  const world = createWorld();
  // Not so many that it has failed thirty times, and is switched off: the others hang.
  let failures = 0;
  const hung = hanging();
  world.transport.answerWith(() => ((failures += 1) <= 20 ? noAnswer() : hung.answer));
  await world.addWebhook("wh_1");
  const scheduler = world.scheduler();
  await scheduler.start();
  const ids = Array.from({ length: 200 }, (_, index) => `ord_${index}`);
  scheduler.offer("acc_1", await world.publish("wh_1", ...ids));
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
  expect(world.transport.sent.length).toBe(20 + 200);
  expect(await world.queued()).toEqual([]);
  await scheduler.close();
});
