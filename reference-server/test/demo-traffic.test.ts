import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import type { PublishInput } from "hookwright";
import { expect, it } from "vitest";
import { demoNames, isTrafficOrder } from "../src/demo/demo-names.ts";
import { startReceiver } from "../src/demo/receiver.ts";
import { seedAccount } from "../src/demo/seed-account.ts";
import { startTraffic } from "../src/demo/traffic.ts";

const { accountId } = demoNames;

it("the traffic of a demo keeps only its newest orders, also those of earlier starts", async () => {
  const receiver = await startReceiver({ now: () => 0 });
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "s".repeat(32),
    role: "api",
    trustedOrigins: [receiver.origin],
  });
  await seedAccount(hookwright);
  const logged: unknown[] = [];
  let time = Date.UTC(2026, 10, 20);
  const start = () =>
    startTraffic({
      hookwright,
      targets: receiver.targets,
      log: (code) => logged.push(code),
      now: () => (time += 1_000),
      intervalMs: 1,
      ordersKept: 5,
    });
  const readOrders = async () => (await hookwright.orders.list(accountId, {}, { limit: 100 })).rows;
  const countOrders = async () => (await readOrders()).filter(({ id }) => isTrafficOrder(id)).length;

  const first = await start();
  await expect.poll(countOrders).toBe(5);
  await first.stop();
  const before = new Set((await readOrders()).map(({ id }) => id));
  const second = await start();
  await expect
    .poll(async () => (await readOrders()).filter(({ id }) => isTrafficOrder(id) && before.has(id)))
    .toEqual([]);
  await second.stop();
  expect(await countOrders()).toBe(5);
  const { rows: contacts } = await hookwright.contacts.list(accountId, {}, { limit: 100 });
  expect(contacts.length).toBeLessThan(10);
  expect(logged).toEqual([]);
  await receiver.close();
});

it("an error of the demo's traffic is logged once, and the traffic continues", async () => {
  const receiver = await startReceiver({ now: () => 0 });
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "s".repeat(32),
    role: "api",
    trustedOrigins: [receiver.origin],
  });
  await seedAccount(hookwright);
  let failures = 0;
  const logged: unknown[] = [];
  const traffic = await startTraffic({
    hookwright: {
      ...hookwright,
      async publish(input: PublishInput) {
        failures += 1;
        if (failures <= 3) throw new Error("no storage");
        return hookwright.publish(input);
      },
    },
    targets: receiver.targets,
    log: (code) => logged.push(code),
    now: Date.now,
    intervalMs: 1,
  });
  await expect.poll(() => failures).toBeGreaterThan(5);
  await traffic.stop();
  expect(logged).toEqual(["demo_traffic_failed"]);
  await receiver.close();
});
