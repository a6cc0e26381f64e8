import { describe, expect, it } from "vitest";
import { failureOf } from "./support/failure-of.ts";
import { openWorld } from "./support/open-world.ts";

describe("over the rate limit of the real API", () => {
  it("a list of many pages waits for Retry-After and misses nothing", async () => {
    await using world = await openWorld({ rateLimitPerMinute: 3 });
    for (let number = 1; number <= 8; number += 1) await world.order(number);
    const numbers: string[] = [];
    for await (const { number } of world.client.orders.list({ limit: 2 })) numbers.push(number);
    expect(numbers).toEqual(["8", "7", "6", "5", "4", "3", "2", "1"]);
    expect(world.waits).toHaveLength(1);
    expect(world.waits[0]).toBeGreaterThan(50_000);
    expect(world.waits[0]).toBeLessThanOrEqual(60_000);
    expect(world.notices).toEqual([
      {
        operation: "GET /v1/orders",
        attempts: 1,
        delayMs: world.waits[0],
        code: "rate_limited",
        status: 429,
      },
    ]);
  });

  it("operations that are not safe to repeat are retried too", async () => {
    await using world = await openWorld({ rateLimitPerMinute: 1 });
    await world.client.me();
    expect(await world.client.blogPosts.create({ project_id: "site_1", title: "A title" })).toMatchObject({
      status: "draft",
    });
    expect(world.waits).toHaveLength(1);
  });

  it("a wait beyond longestWaitMs fails and reports its length", async () => {
    await using world = await openWorld({ rateLimitPerMinute: 1 });
    const client = world.connect({ longestWaitMs: 1_000 });
    await client.me();
    const error = await failureOf(client.me());
    expect(error).toMatchObject({ code: "rate_limited", status: 429, outcomeUnknown: false });
    expect(error.retryAfterSeconds).toBeGreaterThan(50);
    expect(error.message).toMatch(/Try again in \d+ seconds/);
    expect(world.waits).toEqual([]);
  });
});
