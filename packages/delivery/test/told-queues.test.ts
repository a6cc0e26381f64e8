import { expect, it } from "vitest";
import { until } from "./support/fake-clock.ts";
import { createWorld } from "./support/fake-world.ts";
import { accepted, hanging } from "./support/fake-transport.ts";
import { toFaultyStore } from "./support/faulty-store.ts";

/** A worker beside a hundred webhooks that answer nothing and have deliveries waiting, and one that does well. */
async function besideBacklogs() {
  const world = createWorld({ wrapStore: toFaultyStore });
  world.transport.answerWith(({ targetUrl }) =>
    targetUrl.includes("healthy") ? accepted() : hanging().answer,
  );
  for (let index = 0; index < 100; index++) {
    await world.addWebhook(`wh_${index}`);
    await world.publish(`wh_${index}`, ...Array.from({ length: 50 }, (_, order) => `ord_${index}_${order}`));
  }
  await world.addWebhook("healthy");
  const scheduler = world.scheduler();
  await scheduler.start();
  await world.clock.advance(500);
  const listed: string[] = [];
  world.store.onList = (options, next) => {
    listed.push(options.prefix.join("/"));
    return next(options);
  };
  return { world, scheduler, listed };
}

it("what another process publishes is sent at once, and nothing but its queue is read, where the storage says which one", async () => {
  const { world, scheduler, listed } = await besideBacklogs();
  for (let order = 0; order < 20; order++) {
    await world.publishElsewhere("healthy", `ord_${order}`);
    await world.clock.advance(0);
    expect(world.transport.sent.at(-1)?.targetUrl).toContain("healthy");
  }
  expect(new Set(listed)).toEqual(new Set([`${world.partition}/fresh/acc_1/order.created/healthy`]));
  expect(listed.length).toBeLessThanOrEqual(40);
  expect(scheduler.stats.recorded).toBe(20);
});

it("where the storage does not, what another process publishes is sent at once too, for one seek for each of the others", async () => {
  const { world, listed } = await besideBacklogs();
  const seeks = () => listed.filter((prefix) => prefix === `${world.partition}/fresh`).length;
  await world.publish("healthy", "ord_1");
  await until(() => seeks() > 100);
  expect(world.transport.sent.at(-1)?.targetUrl).toContain("healthy");
});
