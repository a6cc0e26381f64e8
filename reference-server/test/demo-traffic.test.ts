import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import type { PublishInput } from "hookwright";
import { expect, it, onTestFinished } from "vitest";
import { demoNames, isTrafficOrder } from "../src/demo/demo-names.ts";
import { prepareDemo } from "../src/demo/prepare-demo.ts";
import { startReceiver } from "../src/demo/receiver.ts";
import { seedAccount } from "../src/demo/seed-account.ts";
import { startTraffic } from "../src/demo/traffic.ts";
import { createTestProgram } from "./support/test-program.ts";

const { accountId } = demoNames;

/** A demo's account and receiver, without a server. */
async function openDemo() {
  const receiver = await startReceiver({ now: () => 0 });
  const store = memoryStore();
  const hookwright = await createHookwright({
    store,
    secret: "s".repeat(32),
    role: "api",
    trustedOrigins: [receiver.origin],
  });
  onTestFinished(async () => {
    await hookwright.close();
    await receiver.close();
  });
  const account = await seedAccount(hookwright, receiver.origin);
  const logged: unknown[] = [];
  const log = (code: string) => logged.push(code);
  return { hookwright, store, targets: receiver.targets, account, logged, log };
}

it("the traffic of a demo keeps only its newest orders, also those of earlier starts", async () => {
  const { hookwright, targets, logged, log } = await openDemo();
  let time = Date.UTC(2026, 10, 20);
  const start = () =>
    startTraffic({
      hookwright,
      targets,
      log,
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
});

it("an error of the demo's traffic is logged once, and the traffic continues", async () => {
  const { hookwright, targets, logged, log } = await openDemo();
  let failures = 0;
  const traffic = await startTraffic({
    hookwright: {
      ...hookwright,
      async publish(input: PublishInput) {
        failures += 1;
        if (failures <= 3) throw new Error("no storage");
        return hookwright.publish(input);
      },
    },
    targets,
    log,
    now: Date.now,
    intervalMs: 1,
  });
  await expect.poll(() => failures).toBeGreaterThan(5);
  await traffic.stop();
  expect(logged).toEqual(["demo_traffic_failed"]);
});

it("the key of an earlier start is revoked unless it created a webhook, and a full account says so", async () => {
  const { hookwright, store, account, logged, log } = await openDemo();
  const keys = async () => (await hookwright.apiKeys.list(accountId, { limit: 100 })).rows;
  const [first] = await keys();
  const credential = { type: "key", keyId: first?.id ?? "", name: "Demo key", integration: false } as const;
  const rights = ["read", "webhooks", "write"] as const;
  const webhook = { event: "order.created", target_url: "https://hooks.example.com/orders" };
  await hookwright.webhooks.create({ accountId, credential, rights }, webhook);
  const second = await seedAccount(hookwright, "http://127.0.0.1:1");
  const third = await seedAccount(hookwright, "http://127.0.0.1:1");
  const me = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await hookwright.fetch(new Request("http://localhost/v1/me", { headers }))).status;
  };
  expect([await me(account.apiKey), await me(second.apiKey), await me(third.apiKey)]).toEqual([
    200, 401, 200,
  ]);
  for (let made = 2; made < 100; made++) await hookwright.apiKeys.create(accountId, { name: "Mine" });
  const { id: lastId = "" } =
    (await keys()).find(({ name, revoked_at: at }) => name === "Demo key" && at === null) ?? {};
  await hookwright.webhooks.create(
    { accountId, credential: { ...credential, keyId: lastId }, rights },
    { ...webhook, target_url: "https://hooks.example.com/more" },
  );
  await expect(seedAccount(hookwright, "http://127.0.0.1:1")).rejects.toThrow("100 API keys");
  const settings = { hostToken: undefined, storage: { type: "memory" }, demoTraffic: true } as const;
  const secrets = { secret: "s".repeat(32), previousSecrets: [] };
  const demo = await prepareDemo({
    settings,
    program: createTestProgram({}),
    store,
    secrets,
    colours: false,
    log,
  });
  await demo.show({ hookwright, url: "http://localhost" });
  await demo.close();
  expect(logged).toEqual(["demo_not_shown"]);
});
