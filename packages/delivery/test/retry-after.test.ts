import { expect, it } from "vitest";
import type { WorkerOptions } from "../src/worker.ts";
import { answered } from "./support/fake-transport.ts";
import { createWorld } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";

/** The gaps between the attempts of a delivery whose endpoint always gives this response. */
async function gapsInSeconds(
  status: number,
  retryAfter: (world: World) => string,
  options: Partial<WorkerOptions> = { obeyRetryAfter: true },
): Promise<number[]> {
  const world = createWorld();
  world.transport.answerWith(() => ({
    ...answered(status),
    headers: ["content-type", "text/plain", "retry-after", retryAfter(world)],
    durationMs: 0,
  }));
  await world.addWebhook("wh_1");
  // 0.5 is the middle of the jitter of the schedule. A wait that is asked for gets 5 % more.
  const worker = world.worker({ ...options, random: () => 0.5 });
  await worker.start();
  worker.offer("acc_1", await world.publish("wh_1", "ord_1"));
  // Longer than six attempts take.
  await world.clock.advance(45 * 60_000);
  await worker.close();
  expect(world.errors).toEqual([]);
  const times = world.transport.sent.map(({ at }) => at);
  return times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1_000);
}

const schedule = [15, 60, 240, 540, 900];

it.each([429, 503])("Retry-After of a %i is obeyed if it asks for more than the schedule", async (status) => {
  expect(await gapsInSeconds(status, () => "40")).toEqual([42, 60, 240, 540, 900]);
});

it("Retry-After is obeyed at most up to the next step of the schedule", async () => {
  expect(await gapsInSeconds(503, () => "86400")).toEqual([60, 240, 540, 900, 900]);
});

it("Retry-After may be a date", async () => {
  const in40Seconds = ({ clock }: World) => new Date(clock.now() + 40_000).toUTCString();
  const [first] = await gapsInSeconds(503, in40Seconds);
  // Whole seconds, and 5 % more.
  expect(first).toBeGreaterThan(40);
  expect(first).toBeLessThanOrEqual(42);
});

it.each([
  ["of another status", 500, "3600"],
  ["that asks for less than the schedule", 503, "1"],
  ["that is neither a number nor a date", 503, "soon"],
])("Retry-After %s changes nothing", async (_, status, retryAfter) => {
  expect(await gapsInSeconds(status, () => retryAfter)).toEqual(schedule);
});

it("without the option Retry-After changes nothing", async () => {
  expect(await gapsInSeconds(503, () => "86400", {})).toEqual(schedule);
});
