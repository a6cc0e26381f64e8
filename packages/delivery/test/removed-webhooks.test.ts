import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import {
  findRemovedWebhook,
  listRemovedWebhooks,
  removedWebhookLifetimeMs,
  removeWebhooks,
  sweepRemovedWebhooks,
} from "../src/webhooks/removed-webhooks.ts";
import { keys } from "../src/storage/keys.ts";
import { addWebhook, findWebhook, readWebhookGuard } from "../src/webhooks/webhook-store.ts";

const accountId = "acc_1";
const partition = partitionOf(accountId);
const pause = async (): Promise<void> => {};

function createWorld() {
  let time = 0;
  const store = memoryStore({ now: () => time });
  return {
    store,
    advance: (ms: number) => void (time += ms),
    async add(id: string): Promise<void> {
      const created_by = { type: "console", key_id: null, name: null, integration: false } as const;
      const row = { id, event: "order.paid", target_url: "https://example.com/", project_id: null };
      const webhook = { ...row, status: "active", created_at: time, created_by } as const;
      const secrets = { webhook_id: id, current: "sealed", pending: null };
      await store.commit(partition, addWebhook(await readWebhookGuard(store, accountId), webhook, secrets));
    },
    async remove(id: string): Promise<void> {
      const guard = await readWebhookGuard(store, accountId);
      const found = await findWebhook(store, accountId, id);
      if (found === undefined) throw new Error(`no webhook ${id}`);
      const options = { reason: "person", now: time } as const;
      const { checks, mutations } = await removeWebhooks(store, guard, [found.row], options);
      expect(await store.commit(partition, { checks, mutations })).toMatchObject({ ok: true });
    },
  };
}

it("a removed webhook can be read for 30 days", async () => {
  const world = createWorld();
  await world.add("wh_1");
  await world.remove("wh_1");
  world.advance(removedWebhookLifetimeMs - 1);
  expect(await findRemovedWebhook(world.store, accountId, "wh_1")).toMatchObject({ reason: "person" });
  world.advance(1);
  expect(await findRemovedWebhook(world.store, accountId, "wh_1")).toBeUndefined();
  expect(await listRemovedWebhooks(world.store, accountId, { limit: 9 })).toEqual([]);
});

it("a webhook is removed although its counters cannot be read", async () => {
  const world = createWorld();
  await world.add("wh_1");
  const key = keys.webhookHealth({ accountId, webhookId: "wh_1" });
  await world.store.commit(partition, { mutations: [{ type: "set", key, value: "{" }] });
  await world.remove("wh_1");
  expect(await findWebhook(world.store, accountId, "wh_1")).toBeUndefined();
  expect(await findRemovedWebhook(world.store, accountId, "wh_1")).toMatchObject({ consecutive_failures: 0 });
});

it("the oldest removed webhooks above a number are removed for good", async () => {
  const world = createWorld();
  const ids = Array.from({ length: 1_203 }, (_, index) => `wh_${String(index).padStart(4, "0")}`);
  for (const id of ids) {
    await world.add(id);
    await world.remove(id);
  }
  const sweep = (maximumKept?: number) =>
    sweepRemovedWebhooks({ store: world.store, accountId, pause, maximumKept });
  const left = async () => {
    const rows = await listRemovedWebhooks(world.store, accountId, { limit: 2_000 });
    return rows.map(({ id }) => id);
  };
  await sweep();
  expect(await left()).toHaveLength(1_203);
  await sweep(501);
  expect(await left()).toEqual(ids.slice(-501).toReversed());
});
