import { describe, expect, it } from "vitest";
import { createTroubledPace } from "../src/scheduler/turns/troubled-pace.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import type { FakeClock } from "./support/fake-clock.ts";

/** All that may begin now. */
function beginAll(pace: ReturnType<typeof createTroubledPace>): number {
  let begun = 0;
  for (; pace.mayBegin(); begun += 1) pace.begin();
  return begun;
}

/** How many begin in so long, once nothing is saved up. */
async function beginWithin(
  milliseconds: number,
  {
    clock,
    pace,
    eachMs = () => {},
  }: {
    readonly clock: FakeClock;
    readonly pace: ReturnType<typeof createTroubledPace>;
    readonly eachMs?: () => void;
  },
): Promise<number> {
  let begun = 0;
  for (let passed = 0; passed < milliseconds; passed += 1) {
    eachMs();
    await clock.advance(1);
    begun += beginAll(pace);
  }
  return begun;
}

describe("the pace of troubled webhooks", () => {
  it("is one turn in two milliseconds, and after a quiet time 256 begin at once", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    expect(beginAll(pace)).toBe(256);
    expect(await beginWithin(1_000, { clock, pace })).toBe(500);
    await clock.advance(60_000);
    expect(beginAll(pace)).toBe(256);
  });

  it("is one turn in 80 ms while others accept, and for ten seconds after", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    beginAll(pace);
    pace.othersAccepted(clock.now());
    expect(await beginWithin(9_999, { clock, pace })).toBe(124);
    expect(await beginWithin(1_001, { clock, pace })).toBe(500);
    await clock.advance(60_000);
    pace.othersAccepted(clock.now());
    expect(beginAll(pace)).toBe(256);
    expect(await beginWithin(1_600, { clock, pace })).toBe(20);
  });

  it.each([
    { acceptancesEachMs: 0.05, each: 12.5 },
    { acceptancesEachMs: 0.2, each: 25 },
    { acceptancesEachMs: 1, each: 125 },
    { acceptancesEachMs: 10, each: 500 },
  ])(
    "follows what others accept, $acceptancesEachMs each ms, to what it is without them",
    async ({ acceptancesEachMs, each }) => {
      const clock = createFakeClock();
      const pace = createTroubledPace(clock);
      beginAll(pace);
      let accepted = 0;
      let passed = 0;
      const eachMs = (): void => {
        for (passed += 1; accepted < passed * acceptancesEachMs; accepted += 1)
          pace.othersAccepted(clock.now());
      };
      // How much they accept is learned in the first second.
      await beginWithin(1_000, { clock, pace, eachMs });
      const begun = await beginWithin(8_000, { clock, pace, eachMs });
      expect(begun).toBeGreaterThanOrEqual(each * 8 - 8);
      expect(begun).toBeLessThanOrEqual(each * 8 + 4);
    },
  );

  it("follows what others accept at once in the second after, and then no more", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    beginAll(pace);
    for (let accepted = 0; accepted < 10_000; accepted += 1) pace.othersAccepted(clock.now());
    expect(await beginWithin(999, { clock, pace })).toBe(12);
    expect(await beginWithin(1_000, { clock, pace })).toBe(500);
    expect(await beginWithin(8_000, { clock, pace })).toBe(100);
  });

  it("asks again when the next may begin, and not before", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    beginAll(pace);
    const askedAt: number[] = [];
    const ask = (): void => {
      askedAt.push(clock.now());
      beginAll(pace);
      if (askedAt.length % 3 !== 0) pace.whenMore(ask);
    };
    const start = clock.now();
    pace.whenMore(ask);
    for (let passed = 0; passed < 24; passed += 1) await clock.advance(1);
    pace.othersAccepted(clock.now());
    pace.whenMore(ask);
    for (let passed = 0; passed < 960; passed += 1) await clock.advance(1);
    expect(askedAt.map((at) => at - start)).toEqual([8, 16, 24, 344, 664, 984]);
  });

  it("asks again sooner the more others accept", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    const begunAt: number[] = [];
    for (let passed = 0; passed < 4_000; passed += 1) {
      pace.othersAccepted(clock.now());
      if (beginAll(pace) > 0) begunAt.push(clock.now());
      if (!pace.mayBegin()) pace.whenMore(() => {});
      await clock.advance(1);
    }
    // How much they accept is learned in the first second. Four turns are 32 ms of 125 in a second.
    const apart = begunAt.map((at, index) => at - (begunAt[index - 1] ?? at)).slice(-50);
    expect(new Set(apart)).toEqual(new Set([32]));
  });

  it("begins them at the moment it has asked again, and in no round before it that others have begun", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    pace.othersAccepted(clock.now());
    beginAll(pace);
    let asked = 0;
    pace.whenMore(() => (asked += 1));
    for (let accepted = 0; accepted < 16; accepted += 1) pace.othersAccepted(clock.now());
    await clock.advance(319);
    expect([beginAll(pace), asked]).toEqual([0, 0]);
    await clock.advance(1);
    expect([beginAll(pace), asked]).toEqual([4, 1]);
  });

  it("begins no more than eight together, whatever others have accepted meanwhile, and others after them", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    pace.othersAccepted(clock.now());
    beginAll(pace);
    pace.whenMore(() => {});
    // The pace they leave is that of a hundred turns in a second, a third of which would have been saved by the time it asks again.
    for (let accepted = 0; accepted < 1_000; accepted += 1) pace.othersAccepted(clock.now());
    const begun: number[] = [];
    for (let passed = 0; passed < 2_000; passed += 1) {
      await clock.advance(1);
      begun.push(beginAll(pace));
      if (!pace.mayBegin()) pace.whenMore(() => {});
    }
    expect(Math.max(...begun)).toBe(8);
    expect(begun.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(60);
  });

  it("asks no oftener than each eight milliseconds, and at the latest after a second, whatever others have done", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    let asked = 0;
    const ask = (): void => {
      asked += 1;
      beginAll(pace);
      pace.whenMore(ask);
    };
    const askedIn = async (milliseconds: number, acceptedEachMs: number): Promise<number> => {
      const before = asked;
      for (let passed = 0; passed < milliseconds; passed += 1) {
        for (let accepted = 0; accepted < acceptedEachMs; accepted += 1) pace.othersAccepted(clock.now());
        await clock.advance(1);
      }
      return asked - before;
    };
    beginAll(pace);
    pace.whenMore(ask);
    expect(await askedIn(3_000, 4)).toBeLessThanOrEqual(375);
    // They are gone, and how much they accepted is forgotten soon.
    expect(await askedIn(2_000, 0)).toBeLessThan(150);
    expect(await askedIn(4_000, 0)).toBeLessThan(150);
    // More than there were have begun all the same: it would be eighty seconds until they are saved.
    for (let begun = 0; begun < 1_000; begun += 1) pace.begin();
    await askedIn(1_000, 0);
    expect(await askedIn(1_000, 0)).toBe(1);
  });

  it("has four begin together once all are used up; one that is given back needs not wait for three others", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    beginAll(pace);
    const begun: number[] = [];
    for (let passed = 0; passed < 16; passed += 1) {
      await clock.advance(1);
      begun.push(beginAll(pace));
    }
    expect(begun).toEqual([0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4]);
    await clock.advance(1);
    pace.giveBack();
    expect(beginAll(pace)).toBe(1);
  });

  it("brings no others along with one that is given back while the rest wait", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    pace.othersAccepted(clock.now());
    beginAll(pace);
    pace.whenMore(() => {});
    await clock.advance(319);
    pace.giveBack();
    expect(beginAll(pace)).toBe(1);
    await clock.advance(1);
    expect(beginAll(pace)).toBe(4);
  });

  it("is that of turns that come to nothing: one that is accepted is given back, and no more are saved for it", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    beginAll(pace);
    let begun = 0;
    for (let passed = 0; passed < 1_000; passed += 1) {
      await clock.advance(1);
      for (; pace.mayBegin(); begun += 1) {
        pace.begin();
        if (begun % 4 !== 3) pace.giveBack();
      }
    }
    expect(begun).toBe(2_000);
    await clock.advance(60_000);
    expect(pace.mayBegin()).toBe(true);
    for (let given = 0; given < 10; given += 1) pace.giveBack();
    expect(beginAll(pace)).toBe(256);
  });

  it("was the whole one until somebody accepted", async () => {
    const clock = createFakeClock();
    const pace = createTroubledPace(clock);
    beginAll(pace);
    await clock.advance(100);
    pace.othersAccepted(clock.now());
    expect(beginAll(pace)).toBe(50);
  });

  it("is the whole one again where the clock was set back behind those who accepted", async () => {
    const clock = createFakeClock();
    let setBackMs = 0;
    const pace = createTroubledPace({ ...clock, now: () => clock.now() - setBackMs });
    beginAll(pace);
    pace.othersAccepted(clock.now());
    setBackMs = 3_600_000;
    // The first look tells that it was set back; from there on it counts.
    beginAll(pace);
    expect(await beginWithin(1_000, { clock, pace })).toBe(500);
  });
});
