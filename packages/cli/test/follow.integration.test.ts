import { expect, it } from "vitest";
import { createDeliveryFollower } from "../src/follow/follow-deliveries.ts";
import { connect } from "./support/connect.ts";
import { openDeveloperServer } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { delivery } from "./support/rows.ts";

const minuteMs = 60_000;
const noon = Date.parse("2026-11-20T12:00:00Z");

/** A row that was created some seconds before noon. */
function rowOf(id: string, secondsAgo: number, change: object = {}): object {
  const created = new Date(noon - secondsAgo * 1_000);
  return { ...delivery, id, created_at: created.toISOString().replace(".000Z", "Z"), ...change };
}

const pendingRow = (id: string, secondsAgo: number): object =>
  rowOf(id, secondsAgo, { status: "pending", attempts_made: 1 });

function follow(server: DeveloperServer, since?: number) {
  const clock = createFakeClock(noon);
  const waits: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    await clock.sleep(milliseconds);
  };
  const api = connect(server, { sleep });
  const follower = createDeliveryFollower({ api, since, now: clock.now, sleep });
  return { clock, follower, waits };
}

it("sends at most 30 requests in a minute, however many old deliveries are pending", async () => {
  await using server = await openDeveloperServer();
  server.deliveries = Array.from({ length: 900 }, (_, index) => pendingRow(`dlv_${index}`, index + 1));
  const { clock, follower } = follow(server, noon - 20 * minuteMs);
  const requestsByMinute: number[] = [];
  for (let minute = 1; minute <= 5; minute += 1) {
    const before = server.requests.length;
    while (clock.now() < noon + minute * minuteMs) await follower.poll();
    requestsByMinute.push(server.requests.length - before);
  }
  expect(Math.max(...requestsByMinute)).toBeLessThanOrEqual(30 + 1);
  // Each round reads one page, not all of them.
  const late = server.requests.slice(-30).filter(({ path }) => path.endsWith("/deliveries"));
  expect(late.every(({ query }) => query["cursor"] === undefined)).toBe(true);
});

it("finds the end of each delivery that is no longer on the newest page", async () => {
  await using server = await openDeveloperServer();
  server.deliveries = ["a", "b", "c", "d", "e"].map((id, index) => pendingRow(id, 60 + index));
  const { follower } = follow(server);
  expect(await follower.poll()).toEqual([]);
  server.deliveries = server.deliveries.map((row) => ({ ...row, status: "failed", attempts_made: 6 }));
  const changed = [...(await follower.poll()), ...(await follower.poll()), ...(await follower.poll())];
  expect(changed.map(({ id, status }) => [id, status]).toSorted()).toEqual(
    ["a", "b", "c", "d", "e"].map((id) => [id, "failed"]),
  );
  // Nothing is left to ask for.
  const before = server.requests.length;
  await follower.poll();
  expect(server.requests.slice(before).map(({ path }) => path)).toEqual(["/developer/v1/deliveries"]);
});

it("reads older pages if a whole page is new, so that a burst is not lost", async () => {
  await using server = await openDeveloperServer();
  server.deliveries = [];
  const { follower } = follow(server);
  await follower.poll();
  server.deliveries = Array.from({ length: 250 }, (_, index) => rowOf(`dlv_${index}`, -300 + index));
  const found = await follower.poll();
  expect(found).toHaveLength(250);
  expect(found.at(-1)).toMatchObject({ id: "dlv_0" });
});

it("waits as long as Retry-After demands", async () => {
  await using server = await openDeveloperServer();
  server.deliveries = [];
  const { follower, waits } = follow(server);
  await follower.poll();
  server.overrides.set("GET /developer/v1/deliveries", {
    status: 429,
    body: { success: false, error: { code: "rate_limited", message: "Too many requests." } },
    retryAfter: 37,
    once: true,
  });
  await follower.poll();
  expect(waits).toContain(37_000);
});
