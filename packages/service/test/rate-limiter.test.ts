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
  const errors: unknown[] = [];
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
      createRateLimiter({ store: over, now, requestsPerMinute, onError: (error) => errors.push(error) }),
    memory,
    /** Makes every commit fail with this error. Undefined makes commits succeed again. */
    refuseCommits: (error: Error | undefined) => void (refusal = error),
    errors,
    now,
    pass: (ms: number) => void (time += ms),
    commits: () => commits,
  };
}

describe("the rate limit", () => {
  it("allows 200 requests, refuses the next, and allows it 60 seconds later", async () => {
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

  it.each([200, 1_000_000])("of %i can be read, which counts nothing", async (requestsPerMinute) => {
    const world = openWorld(requestsPerMinute);
    const limiter = world.openLimiter();
    const all = { limit: requestsPerMinute, remaining: requestsPerMinute, resetSeconds: 0 };
    expect(await limiter.read("acc_1")).toEqual(all);
    for (let request = 1; request <= 3; request++) await limiter.take("acc_1");
    const commits = world.commits();
    for (let reading = 1; reading <= 2; reading++)
      expect(await limiter.read("acc_1")).toEqual({
        limit: requestsPerMinute,
        remaining: requestsPerMinute - 3,
        resetSeconds: 60,
      });
    expect(world.commits()).toBe(commits);
    expect(await limiter.read("acc_2")).toEqual(all);
    world.pass(60_500);
    expect(await limiter.read("acc_1")).toEqual(all);
  });

  it.each([2, 200, 1_000, 1_000_000])(
    "of %i never reports a reset after 60 seconds",
    async (requestsPerMinute) => {
      const world = openWorld(requestsPerMinute);
      const limiter = world.openLimiter();
      for (let request = 0; request < 5; request++)
        expect((await limiter.take("acc_1")).resetSeconds).toBeLessThanOrEqual(60);
    },
  );

  it("reports the same reset and retry time for a refused request", async () => {
    const world = openWorld(2);
    const limiter = world.openLimiter();
    await limiter.take("acc_1");
    world.pass(40_000);
    expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, resetSeconds: 60 });
    expect(await limiter.take("acc_1")).toMatchObject({ retryAfterSeconds: 20, resetSeconds: 20 });
  });

  it("does not count refused requests", async () => {
    const world = openWorld(2);
    const limiter = world.openLimiter();
    for (let request = 0; request < 10; request++) await limiter.take("acc_1");
    world.pass(60_000);
    expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 1 });
  });

  it.each([200, 100_000])("of %i allows requests after the clock stepped back", async (requestsPerMinute) => {
    const world = openWorld(requestsPerMinute);
    const limiter = world.openLimiter();
    await Promise.all(Array.from({ length: 200 }, () => limiter.take("acc_1")));
    world.pass(-3_600_000);
    const decision = await limiter.take("acc_1");
    expect(decision).toMatchObject({ allowed: true, retryAfterSeconds: 0 });
    expect(decision.resetSeconds).toBeLessThanOrEqual(60);
  });

  it("applies to each account separately", async () => {
    const limiter = openWorld(1).openLimiter();
    await limiter.take("acc_1");
    expect(await limiter.take("acc_2")).toMatchObject({ allowed: true });
  });

  it("applies to all processes that share a store together", async () => {
    const world = openWorld(50);
    const limiters = [world.openLimiter(), world.openLimiter(), world.openLimiter()];
    const decisions = await Promise.all(
      Array.from({ length: 300 }, (_, index) => limiters[index % 3]?.take("acc_1")),
    );
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(50);
  });

  it("is not exceeded if a block is used late", async () => {
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
    // 60 seconds after the first request, and 59.501 seconds after all others.
    expect(await takeAllowed(10)).toBeLessThanOrEqual(limit - late);
  });

  it("needs one commit for many requests if the limit is high", async () => {
    const world = openWorld(1_000_000);
    const limiter = world.openLimiter();
    for (let request = 1; request <= 1_000; request++) {
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 1_000_000 - request });
    }
    expect(world.commits()).toBe(1);
  });

  it.each([2, 50])(
    "is fully available to %i clients that send requests while commits are slow",
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
          // Simulates a socket. Without it one client would use up a block before the next one exists.
          await setImmediate();
        }
      };
      await Promise.all(Array.from({ length: clients }, askUntilRefused));
      // The clock does not advance, so no block expires.
      expect(answers.indexOf(false)).toBe(limit);
      expect(answers.lastIndexOf(true)).toBe(limit - 1);
    },
  );

  describe("with a store that is full or read-only", () => {
    const full = new StorageError("unavailable", "there is no room left on its disk", { isFull: true });

    it("counts requests in memory in addition to stored requests", async () => {
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
      // Two commits for the five requests, and one for the other account.
      expect(world.errors).toEqual([full, full, full]);
      world.pass(60_000);
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 4 });
    });

    it("stores the requests counted in memory as soon as commits succeed", async () => {
      const world = openWorld(5);
      const limiter = world.openLimiter();
      world.refuseCommits(full);
      await limiter.take("acc_1");
      await limiter.take("acc_1");
      world.refuseCommits(
        new StorageError("unavailable", "it is a replica", { reason: "read_only_replica" }),
      );
      await limiter.take("acc_1");
      world.refuseCommits(undefined);
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: true, remaining: 1 });
      expect(await world.openLimiter().take("acc_1")).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.take("acc_1")).toMatchObject({ allowed: false, remaining: 0 });
    });

    it("adds requests in memory to requests that other processes stored", async () => {
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

    it("keeps the count of an active account while many other accounts send requests", async () => {
      const world = openWorld(2);
      const limiter = world.openLimiter();
      world.refuseCommits(full);
      await limiter.take("acc_busy");
      for (let other = 0; other < 6_000; other++) await limiter.take(`acc_${other}`);
      await limiter.take("acc_busy");
      for (let other = 6_000; other < 12_000; other++) await limiter.take(`acc_${other}`);
      expect(await limiter.take("acc_busy")).toMatchObject({ allowed: false });
    });

    it("throws other storage errors, because reads may then fail too", async () => {
      const world = openWorld(5);
      world.refuseCommits(new StorageError("unavailable", "it is unreachable"));
      await expect(world.openLimiter().take("acc_1")).rejects.toMatchObject({ code: "unavailable" });
      expect(world.errors).toEqual([]);
    });
  });
});
