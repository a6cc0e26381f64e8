import { setImmediate } from "node:timers/promises";
import { memoryStore } from "@hookwright/storage/memory";
import { StorageError } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { describe, expect, it } from "vitest";
import { createRateLimiter } from "../src/limits/rate-limiter.ts";

const start = 1_790_000_000_000;

function openWorld(requestsPerMinute: number) {
  let time = start;
  const now = () => time;
  const memory = memoryStore({ now });
  let commits = 0;
  let refusal: Error | undefined;
  const faults: unknown[] = [];
  const store: Store = {
    ...memory,
    commit: async (partition, commit) => {
      commits += 1;
      if (refusal !== undefined) throw refusal;
      return memory.commit(partition, commit);
    },
  };
  return {
    openLimiter: (over: Store = store) =>
      createRateLimiter({ store: over, now, requestsPerMinute, onError: (error) => faults.push(error) }),
    memory,
    /** Every commit fails with it from now on, or none. */
    refuseCommits: (error: Error | undefined) => void (refusal = error),
    faults,
    now,
    pass: (ms: number) => void (time += ms),
    commits: () => commits,
  };
}

describe("the rate limit", () => {
  it("lets 200 requests through, refuses the next, and allows it 60 seconds later", async () => {
    const world = openWorld(200);
    const limiter = world.openLimiter();
    for (let request = 1; request <= 200; request++) {
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 200 - request });
    }
    expect(await limiter.take("acc_1")).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 60,
      resetSeconds: 60,
    });
    world.pass(59_999);
    expect(await limiter.take("acc_1")).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    world.pass(1);
    expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 199 });
  });

  it.each([2, 200, 1_000, 1_000_000])("of %i names no reset behind its window", async (requestsPerMinute) => {
    const world = openWorld(requestsPerMinute);
    const limiter = world.openLimiter();
    for (let request = 0; request < 5; request++)
      expect((await limiter.take("acc_1")).resetSeconds).toBeLessThanOrEqual(60);
  });

  it("names one moment where it refuses: when one more is allowed", async () => {
    const world = openWorld(2);
    const limiter = world.openLimiter();
    await limiter.take("acc_1");
    world.pass(40_000);
    expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, resetSeconds: 60 });
    expect(await limiter.take("acc_1")).toMatchObject({ retryAfterSeconds: 20, resetSeconds: 20 });
  });

  it("does not count what it refused", async () => {
    const world = openWorld(2);
    const limiter = world.openLimiter();
    for (let request = 0; request < 10; request++) await limiter.take("acc_1");
    world.pass(60_000);
    expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 1 });
  });

  it.each([200, 100_000])(
    "of %i keeps nobody out for a clock that stepped back",
    async (requestsPerMinute) => {
      const world = openWorld(requestsPerMinute);
      const limiter = world.openLimiter();
      await Promise.all(Array.from({ length: 200 }, () => limiter.take("acc_1")));
      world.pass(-3_600_000);
      const decision = await limiter.take("acc_1");
      expect(decision).toMatchObject({ allowed: true, retryAfterSeconds: 0 });
      expect(decision.resetSeconds).toBeLessThanOrEqual(60);
    },
  );

  it("keeps accounts apart", async () => {
    const limiter = openWorld(1).openLimiter();
    await limiter.take("acc_1");
    expect(await limiter.take("acc_2")).toMatchObject({ allowed: true });
  });

  it("is one limit for all processes that share a store, however their requests interleave", async () => {
    const world = openWorld(50);
    const limiters = [world.openLimiter(), world.openLimiter(), world.openLimiter()];
    const decisions = await Promise.all(
      Array.from({ length: 300 }, (_, index) => limiters[index % 3]?.take("acc_1")),
    );
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(50);
  });

  it("counts a block as if all of it came at its end, so that a late use exceeds nothing", async () => {
    const limit = 2_000;
    const world = openWorld(limit);
    const limiter = world.openLimiter();
    const takeAllowed = async (requests: number): Promise<number> => {
      let allowed = 0;
      for (let request = 0; request < requests; request++) {
        if ((await limiter.take("acc_1")).allowed) allowed += 1;
      }
      return allowed;
    };
    world.pass(250);
    expect(await takeAllowed(1)).toBe(1);
    world.pass(499);
    const late = await takeAllowed(limit);
    expect(late).toBe(limit - 1);
    world.pass(59_501);
    // 60 seconds after the first request, and 59.501 after all others.
    expect(await takeAllowed(10)).toBeLessThanOrEqual(limit - late);
  });

  it("does not cost a commit for each request where it is generous", async () => {
    const world = openWorld(1_000_000);
    const limiter = world.openLimiter();
    for (let request = 1; request <= 1_000; request++) {
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 1_000_000 - request });
    }
    expect(world.commits()).toBe(1);
  });

  it.each([2, 50])(
    "lets all of it through to %i clients that ask again and again while a commit takes a turn or two",
    async (clients) => {
      const limit = 10_000;
      const world = openWorld(limit);
      let commits = 0;
      const limiter = world.openLimiter({
        ...world.memory,
        commit: async (partition, commit) => {
          commits += 1;
          await setImmediate();
          if (commits % 2 === 0) await setImmediate();
          return world.memory.commit(partition, commit);
        },
      });
      const answers: boolean[] = [];
      const askUntilRefused = async (): Promise<void> => {
        let allowed = true;
        while (allowed) {
          ({ allowed } = await limiter.take("acc_1"));
          answers.push(allowed);
          // As over a socket: whoever asks again at once uses a block up before the next one is there.
          await setImmediate();
        }
      };
      await Promise.all(Array.from({ length: clients }, askUntilRefused));
      // The clock stands still, so that no block is lost for its age.
      expect(answers.indexOf(false)).toBe(limit);
      expect(answers.lastIndexOf(true)).toBe(limit - 1);
    },
  );

  describe("of a store that is full", () => {
    const full = new StorageError("unavailable", "there is no room left on its disk", { isFull: true });

    it("is counted in memory, on top of what was stored", async () => {
      const world = openWorld(5);
      const limiter = world.openLimiter();
      await limiter.take("acc_1");
      await limiter.take("acc_1");
      world.refuseCommits(full);
      const decisions = await Promise.all(Array.from({ length: 5 }, () => limiter.take("acc_1")));
      expect(decisions.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ]);
      expect(await limiter.take("acc_2")).toMatchObject({ allowed: true, remaining: 4 });
      // Two commits for the five, which share the second one, and one for the other account.
      expect(world.faults).toEqual([full, full, full]);
      world.pass(60_000);
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 4 });
    });

    it("is stored again as soon as that works, with what was counted meanwhile", async () => {
      const world = openWorld(5);
      const limiter = world.openLimiter();
      world.refuseCommits(full);
      await limiter.take("acc_1");
      await limiter.take("acc_1");
      world.refuseCommits(undefined);
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 2 });
      expect(await world.openLimiter().take("acc_1")).toMatchObject({ allowed: true, remaining: 1 });
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 0 });
    });

    it("adds up with what other processes could store meanwhile", async () => {
      const world = openWorld(10);
      const limiter = world.openLimiter();
      const other = world.openLimiter(world.memory);
      world.refuseCommits(full);
      for (let request = 0; request < 4; request++) await limiter.take("acc_1");
      for (let request = 0; request < 4; request++) await other.take("acc_1");
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 1 });
      world.refuseCommits(undefined);
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 0 });
      expect(await other.take("acc_1")).toMatchObject({ allowed: false });
    });

    it("is not forgotten of who comes again and again, however many others come", async () => {
      const world = openWorld(2);
      const limiter = world.openLimiter();
      world.refuseCommits(full);
      await limiter.take("acc_busy");
      for (let other = 0; other < 6_000; other++) await limiter.take(`acc_${other}`);
      await limiter.take("acc_busy");
      for (let other = 6_000; other < 12_000; other++) await limiter.take(`acc_${other}`);
      expect(await limiter.take("acc_busy")).toMatchObject({ allowed: false });
    });

    it("is refused for any other reason: what is read then may be old", async () => {
      const world = openWorld(5);
      world.refuseCommits(new StorageError("unavailable", "it is a replica now"));
      await expect(world.openLimiter().take("acc_1")).rejects.toMatchObject({ code: "unavailable" });
      expect(world.faults).toEqual([]);
    });
  });
});
