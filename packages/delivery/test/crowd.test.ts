import { expect, it } from "vitest";
import { until } from "./support/fake-clock.ts";
import { accepted, noAnswer } from "./support/fake-transport.ts";
import { createWorld } from "./support/fake-world.ts";

const webhooks = 600;
const deliveriesOfWebhook = 10;

it("600 webhooks that hang with more waiting leave room for one that does not", async () => {
  const world = createWorld();
  const names = Array.from({ length: webhooks }, (_, index) => `wh_${index}`);
  world.transport.answerWith(({ targetUrl }) =>
    targetUrl.includes("healthy") ? accepted() : new Promise(() => {}),
  );
  const scheduler = world.scheduler();
  await scheduler.start();
  const ids = Array.from({ length: deliveriesOfWebhook }, (_, index) => `ord_${index}`);
  for (const name of names) {
    await world.addWebhook(name);
    scheduler.offer("acc_1", await world.publish(name, ...ids));
  }
  await until(() => world.transport.sent.length >= webhooks * 4);
  await world.clock.advance(0);
  // Each has several under way: what is left is not left because little was begun.
  expect(scheduler.stats.sending).toBeGreaterThan(3_000);
  await world.addWebhook("healthy");
  const published = await world.publish("healthy", "ord_1", "ord_2", "ord_3");
  scheduler.offer("acc_1", published);
  await world.clock.advance(0);
  const arrived = world.transport.sent.filter(({ targetUrl }) => targetUrl.includes("healthy"));
  expect(arrived).toHaveLength(3);
  const closed = scheduler.close({ deadlineMs: 1_000 });
  await world.clock.advance(2_000);
  await closed;
});

it("500 webhooks that fail, each with more waiting, take few turns in one round of the event loop", async () => {
  const world = createWorld();
  const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));
  world.transport.answerWith(async () => {
    await nextRound();
    return noAnswer();
  });
  const scheduler = world.scheduler();
  await scheduler.start();
  const ids = Array.from({ length: 25 }, (_, index) => `ord_${index}`);
  for (let index = 0; index < 500; index += 1) {
    await world.addWebhook(`wh_${index}`);
    scheduler.offer("acc_1", await world.publish(`wh_${index}`, ...ids));
  }
  await until(() => world.transport.sent.length >= 5_000);
  let most = 0;
  for (let round = 0; round < 300; round += 1) {
    const before = world.transport.sent.length;
    await nextRound();
    most = Math.max(most, world.transport.sent.length - before);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(16);
  // It is slower for none of them than it has to be: all are tried without waiting for a time.
  await until(() => world.transport.sent.length === 500 * 25);
  await scheduler.close();
});
