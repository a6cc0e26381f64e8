import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../src/scheduler/clock.ts";
import { accepted, noAnswer } from "./support/fake-transport.ts";
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

it("a backlog that fell due in a day's sleep is sent once, not as one flood", async () => {
  const world = createWorld();
  world.transport.answerWith(noAnswer);
  await world.addWebhook("wh_1");
  const scheduler = world.scheduler();
  await scheduler.start();
  const ids = Array.from({ length: 200 }, (_, index) => `ord_${index}`);
  scheduler.offer("acc_1", await world.publish("wh_1", ...ids));
  await world.clock.advance(1_000);
  const before = world.transport.sent.length;
  let atOnce = 0;
  let most = 0;
  world.transport.answerWith(async () => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    return accepted();
  });
  world.clock.jump(24 * hour);
  await world.clock.advance(60_000);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(64);
  expect(world.transport.sent.length).toBe(before + 200);
  expect(await world.queued()).toEqual([]);
  await scheduler.close();
});
