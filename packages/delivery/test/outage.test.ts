import { expect, it } from "vitest";
import type { WorkerOptions } from "../src/worker.ts";
import { accountId, createWorld, event } from "./support/fake-world.ts";
import { answered } from "./support/fake-transport.ts";

const minute = 60_000;

/** An endpoint that is down, and a worker with the schedule of the specification. */
async function createOutage(options: Partial<WorkerOptions> = {}) {
  const world = createWorld();
  world.transport.answerWith(() => answered(503));
  await world.addWebhook("wh_1");
  const worker = world.worker(options);
  await worker.start();
  const publish = async (): Promise<string[]> => {
    const deliveries = await world.publish("wh_1", `ord_${world.transport.sent.length}`);
    worker.offer(accountId, deliveries);
    return deliveries.map(({ id }) => id);
  };
  return { world, worker, publish };
}

it("an outage of 25 minutes at one event a second switches nothing off, and all events are delivered after it", async () => {
  const { world, worker, publish } = await createOutage();
  const ids: string[] = [];
  for (let second = 0; second < 25 * 60; second += 1) {
    ids.push(...(await publish()));
    await world.clock.advance(1_000);
  }
  expect((await world.webhook("wh_1"))?.status).toBe("active");
  expect(world.notices.map(({ type }) => type)).toEqual(["failing"]);
  world.transport.answerWith(() => answered(200));
  await world.clock.advance(20 * minute);
  const statuses = await Promise.all(ids.map(async (id) => (await world.delivery(id)).status));
  expect([statuses.length, new Set(statuses)]).toEqual([1_500, new Set(["delivered"])]);
  expect((await world.webhook("wh_1"))?.status).toBe("active");
  await worker.close();
});

it("thirty failures in a row of a busy webhook take more than half an hour, also with the shortest pauses", async () => {
  const { world, worker, publish } = await createOutage({ random: () => 0 });
  const began = world.clock.now();
  while ((await world.webhook("wh_1"))?.status === "active") {
    await publish();
    await world.clock.advance(1_000);
  }
  expect(world.clock.now() - began).toBeGreaterThan(30 * minute);
  expect(world.clock.now() - began).toBeLessThan(32 * minute);
  await worker.close();
});

it("when the worker switches a webhook off, what waits for its back-off is cancelled within seconds", async () => {
  const { world, worker, publish } = await createOutage();
  const ids: string[] = [];
  while ((await world.webhook("wh_1"))?.status === "active") {
    ids.push(...(await publish()));
    await world.clock.advance(1_000);
  }
  await world.clock.advance(10_000);
  const deliveries = await Promise.all(ids.map((id) => world.delivery(id)));
  const untried = deliveries.filter(({ attempts }) => attempts.length === 0);
  expect(untried.length).toBeGreaterThan(1_000);
  expect(new Set(untried.map(({ status }) => status))).toEqual(new Set(["cancelled"]));
  await worker.close();
});

it("the worker switches a webhook off after as many failures as its option says, or never", async () => {
  for (const [switchOffAfter, failures, status] of [
    [3, 3, "switched_off"],
    ["off", 60, "active"],
  ] as const) {
    const { world, worker, publish } = await createOutage({ switchOffAfter, maximumBackoffMs: 0 });
    while (world.attempts.length < failures) {
      await publish();
      await world.clock.advance(1_000);
    }
    expect([switchOffAfter, (await world.webhook("wh_1"))?.status]).toEqual([switchOffAfter, status]);
    await worker.close();
  }
});

it("the rules of an account go before those of the worker, also after a restart", async () => {
  const rules = { switch_off_after: 4, retry_delays_seconds: [5, 7_200] };
  const readMessages: WorkerOptions["readMessages"] = async (_, deliveries) =>
    deliveries.map(() => ({ ok: true, body: "{}", rules }));
  const { world, worker, publish } = await createOutage({ readMessages });
  const [id = ""] = await publish();
  await world.clock.advance(6_000);
  const { next_attempt_at: dueAt, attempts } = await world.delivery(id);
  expect([attempts.length, (dueAt ?? 0) - world.clock.now() > 100 * minute]).toEqual([2, true]);
  await worker.close();
  const second = { id: "worker_2", host: "here", process: 2 };
  await using successor = world.worker({ readMessages, worker: second });
  await successor.start();
  // Two hours are more than the delays of the worker, and yet no sign of a clock that was set back.
  await world.clock.advance(90 * minute);
  expect((await world.delivery(id)).attempts).toHaveLength(2);
  await world.clock.advance(40 * minute);
  expect(await world.delivery(id)).toMatchObject({ status: "failed" });
  const last = await world.publish("wh_1", "ord_last");
  successor.offer(accountId, last);
  await world.clock.advance(100);
  expect(await world.webhook("wh_1")).toMatchObject({ event, status: "switched_off" });
});
