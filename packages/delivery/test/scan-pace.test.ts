import { expect, it } from "vitest";
import { createBriskPace, createLeisurelyPace } from "../src/scheduler/scanning/scan-pace.ts";
import type { ScanPace } from "../src/scheduler/scanning/scan-pace.ts";
import { createFakeClock } from "./support/fake-clock.ts";

/** Seeks until the pace says to rest, and answers how many that were. */
function seeksInARow(pace: ScanPace): { readonly seeks: number; readonly rested: Promise<void> } {
  for (let seeks = 1; seeks < 100_000; seeks++) {
    const rested = pace.rest();
    if (rested !== undefined) return { seeks, rested };
  }
  throw new Error("it never rests");
}

it("for whoever waits, a scan lets others in every sixteen seeks, and goes on at once", async () => {
  const pace = createBriskPace();
  const { seeks, rested } = seeksInARow(pace);
  expect(seeks).toBe(16);
  await rested;
  expect(seeksInARow(pace).seeks).toBe(16);
});

it("a look around rests for milliseconds, all of its scans together", async () => {
  const clock = createFakeClock();
  const pace = createLeisurelyPace(clock);
  pace.begin();
  const { seeks, rested } = seeksInARow(pace);
  expect(seeks).toBe(33);
  const others = [pace.rest(), pace.rest()];
  let over = 0;
  for (const waited of [rested, ...others]) void waited?.then(() => (over += 1));
  await clock.advance(3);
  expect(over).toBe(0);
  await clock.advance(1);
  expect(over).toBe(3);
  // Those that were made to wait count.
  expect(seeksInARow(pace).seeks).toBe(30);
});

it("a busy look around makes two hundred and fifty seeks a second, however many partitions are looked at together", async () => {
  const clock = createFakeClock();
  const pace = createLeisurelyPace(clock);
  for (let seek = 0; seek < 300; seek++) {
    const rested = pace.rest();
    await clock.advance(32);
    await rested;
  }
  pace.begin();
  let seeks = 0;
  let isOver = false;
  const scans = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      await pace.rest();
      seeks += 1;
    }
  });
  await clock.advance(1_000);
  // Eight together, thirty-one times or thirty-two.
  expect(seeks).toBeGreaterThanOrEqual(248);
  expect(seeks).toBeLessThanOrEqual(256);
  isOver = true;
  pace.stop();
  await Promise.all(scans);
});

it("the more there is to look at, the longer a look around takes: nobody is held up by it", async () => {
  const clock = createFakeClock();
  const pace = createLeisurelyPace(clock);
  const roundOf = async (seeks: number): Promise<number> => {
    const begun = clock.now();
    pace.begin();
    for (let seek = 0; seek < seeks; seek++) {
      const rested = pace.rest();
      let isOver = rested === undefined;
      void rested?.then(() => (isOver = true));
      while (!isOver) await clock.advance(1);
    }
    return clock.now() - begun;
  };
  expect(await roundOf(256)).toBe(28);
  expect(await roundOf(1_256)).toBe(4_000);
  expect(await roundOf(1_000)).toBe(3_968);
  // The last one had many.
  expect(await roundOf(256)).toBe(992);
  expect(await roundOf(256)).toBe(28);
});

it("whoever stops it waits for no rest", async () => {
  const clock = createFakeClock();
  const pace = createLeisurelyPace(clock);
  const { rested } = seeksInARow(pace);
  pace.stop();
  await rested;
  await seeksInARow(pace).rested;
  expect(clock.timers).toBe(0);
});
