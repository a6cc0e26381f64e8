import { expect, it } from "vitest";
import { until } from "./support/fake-clock.ts";
import { accepted } from "./support/fake-transport.ts";
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
