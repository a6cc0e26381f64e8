import { describe, expect, it } from "vitest";
import { failureOf } from "./support/failure-of.ts";
import { openWorld } from "./support/open-world.ts";

describe("over the rate limit of the real API", () => {
  it("a walk over many pages waits as long as it is told, and misses nothing", async () => {
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

  it("what is not repeated otherwise is repeated too: nothing was done", async () => {
    await using world = await openWorld({ rateLimitPerMinute: 1 });
    await world.client.me();
    expect(await world.client.blogPosts.create({ project_id: "site_1", title: "A title" })).toMatchObject({
      status: "draft",
    });
    expect(world.waits).toHaveLength(1);
  });

  it("a wait longer than is allowed is left to the caller, who is told how long", async () => {
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
