import { expect, it } from "vitest";
import { answered, noAnswer } from "./support/fake-transport.ts";
import { createWorld } from "./support/fake-world.ts";

const halfAnHour = 30 * 60 * 1_000;

async function failingWorld(random: () => number) {
  const world = createWorld();
  world.transport.answerWith(noAnswer);
  await world.addWebhook("wh_1");
  const worker = world.worker({ random });
  await worker.start();
  const deliveries = await world.publish("wh_1", "ord_1");
  const id = deliveries[0]?.id ?? "";
  worker.offer("acc_1", deliveries);
  return { world, worker, id };
}

function gapsInSeconds(times: readonly { readonly at: number }[]): number[] {
  return times.slice(1).map(({ at }, index) => (at - (times[index]?.at ?? 0)) / 1_000);
}

it("a delivery that is never accepted has six attempts in 29 min 15 s, and has then failed", async () => {
  const { world, worker, id } = await failingWorld(() => 0.5);
  await world.clock.advance(halfAnHour);
  expect(gapsInSeconds(world.transport.sent)).toEqual([15, 60, 240, 540, 900]);
  const delivery = await world.delivery(id);
  expect(delivery).toMatchObject({ status: "failed", next_attempt_at: null });
  expect(delivery.completed_at).toBe(world.transport.sent[5]?.at);
  expect(delivery.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(delivery.attempts.map((attempt) => attempt.next_attempt_at)).toEqual([
    ...world.transport.sent.slice(1).map(({ at }) => at),
    null,
  ]);
  expect(await world.queued()).toEqual([]);
  expect(await world.logged(id)).toEqual([["failed", "event"]]);
  expect(world.errors).toEqual([]);
  await worker.close();
});

it.each([
  [0, 0.9],
  [1 - 2 ** -53, 1.1],
])("with a random number of %d, each delay is %d times the nominal delay", async (random, factor) => {
  const { world, worker } = await failingWorld(() => random);
  await world.clock.advance(halfAnHour * 2);
  const nominal = [15, 60, 240, 540, 900];
  gapsInSeconds(world.transport.sent).forEach((gap, index) =>
    expect(gap).toBeCloseTo((nominal[index] ?? 0) * factor, 2),
  );
  expect(world.transport.sent).toHaveLength(6);
  await worker.close();
});

it("every attempt of a delivery has the same ids and its own timestamp and signature", async () => {
  const { world, worker, id } = await failingWorld(() => 0.5);
  await world.clock.advance(halfAnHour);
  const { sent } = world.transport;
  expect(new Set(sent.map(({ headers }) => headers["x-service-delivery"]))).toEqual(new Set([id]));
  expect(new Set(sent.map(({ body }) => body))).toEqual(new Set(['{"id":"order.created_ord_1"}']));
  expect(new Set(sent.map(({ headers }) => headers["x-service-signature"])).size).toBe(6);
  for (const { headers, at } of sent)
    expect(headers["x-service-timestamp"]).toBe(String(Math.floor(at / 1_000)));
  expect(sent.every(({ headers }) => !("x-service-test" in headers))).toBe(true);
  await worker.close();
});

it("a restart between attempts keeps the schedule", async () => {
  const { world, worker, id } = await failingWorld(() => 0.5);
  await world.clock.advance(100_000);
  expect(world.transport.sent).toHaveLength(3);
  await worker.close();
  await world.clock.advance(60_000);
  const successor = world.worker({ worker: { id: "worker_2", host: "there", process: 2 } });
  await successor.start();
  await world.clock.advance(halfAnHour);
  expect(gapsInSeconds(world.transport.sent)).toEqual([15, 60, 240, 540, 900]);
  expect((await world.delivery(id)).status).toBe("failed");
  expect(await world.queued()).toEqual([]);
  await successor.close();
});

it("a retry that fell due while no worker ran is sent once, at the start", async () => {
  const { world, worker } = await failingWorld(() => 0.5);
  await world.clock.advance(1_000);
  await worker.close();
  await world.clock.advance(halfAnHour);
  const successor = world.worker({ worker: { id: "worker_2", host: "there", process: 2 } });
  await successor.start();
  await world.clock.advance(0);
  expect(gapsInSeconds(world.transport.sent)).toEqual([1_801]);
  await successor.close();
});

it("a success ends the retries", async () => {
  const { world, worker, id } = await failingWorld(() => 0.5);
  await world.clock.advance(20_000);
  world.transport.answerWith(() => answered(204));
  await world.clock.advance(halfAnHour);
  expect(world.transport.sent).toHaveLength(3);
  expect((await world.delivery(id)).status).toBe("delivered");
  expect(await world.logged(id)).toEqual([["delivered", "event"]]);
  await worker.close();
});

it("eight retries of an endpoint start when they are due, although each attempt hangs for ten seconds", async () => {
  const world = createWorld();
  world.transport.answerWith(
    () => new Promise((resolve) => world.clock.schedule(() => resolve(noAnswer()), 10_000)),
  );
  await world.addWebhook("wh_1");
  const worker = world.worker();
  await worker.start();
  worker.offer(
    "acc_1",
    await world.publish("wh_1", ...Array.from({ length: 8 }, (_, index) => `ord_${index}`)),
  );
  // After that, the back-off delays them: the endpoint has failed sixteen times in a row.
  await world.clock.advance(35_000);
  const begun = Map.groupBy(world.transport.sent, ({ headers }) => headers["x-service-delivery"] ?? "");
  expect(begun.size).toBe(8);
  for (const attempts of begun.values()) expect(gapsInSeconds(attempts)).toEqual([25]);
  const closed = worker.close();
  await world.clock.advance(20_000);
  await closed;
});
