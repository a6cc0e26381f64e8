import { memoryStore } from "@hookwright/storage/memory";
import { partitions } from "@hookwright/storage";
import { Registry } from "@prometheus-io/client";
import { expect, it } from "vitest";
import { createFakeClock } from "../../delivery/test/support/fake-clock.ts";
import { createHookwright } from "../src/create-hookwright.ts";
import { addStateMetrics } from "../src/metrics/state-metrics.ts";

const name = "hookwright_webhook_waiting_deliveries";

it("ten webhooks have a sample of their waiting deliveries, and lose it when others have more", async () => {
  const store = memoryStore();
  // No worker delivers.
  await using hookwright = await createHookwright({ store, secret: "s".repeat(32), role: "api" });
  const registry = new Registry();
  const clock = createFakeClock();
  addStateMetrics({
    registry,
    store,
    clock,
    now: clock.now,
    worker: () => ({ stats: hookwright.scheduler.stats, heldPartitions: () => partitions }),
    check: async () => {},
    isWritable: () => true,
    relays: { rejected: () => 0, oldestSeconds: () => 0, measure: async () => {} },
  });
  const samples = async () => {
    const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
    return new Map(values.map(({ labels, value }) => [labels["webhook_id"], value]));
  };
  expect(await samples()).toEqual(new Map());

  const ids: string[] = [];
  for (let waiting = 1; waiting <= 12; waiting++) {
    const account = `acc_${waiting}`;
    await hookwright.accounts.put(account, { email: "owner@example.com" });
    await hookwright.projects.put(`site_${waiting}`, { account_id: account, name: "Shop" });
    const { webhook } = await hookwright.webhooks.create(
      { accountId: account, credential: { type: "console" } },
      { event: "subscriber.created", target_url: "https://example.com/hook" },
    );
    ids.push(webhook.id);
    for (let index = 0; index < waiting; index++)
      await hookwright.subscribers.subscribe(account, {
        project_id: `site_${waiting}`,
        email: `a${index}@example.com`,
      });
  }
  await clock.advance(10_000);
  const expected = new Map(ids.map((id, index) => [id, index + 1]));
  expect(await samples()).toEqual(new Map([...expected].slice(2)));
  await hookwright.webhooks.remove("acc_12", ids[11] ?? "");
  await clock.advance(10_000);
  expect(await samples()).toEqual(new Map([...expected].slice(1, 11)));
});
