import { logLines } from "@hookwright/domain";
import type { Logger } from "@hookwright/domain";
import { partitionOf, StorageError } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it, vi } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import { openBakery, publishReview, secret } from "./support/bakery.ts";
import { openReceiver } from "./support/open-receiver.ts";

type Line = readonly [message: string, fields: Readonly<Record<string, unknown>>];

/** A worker with recorded log lines. */
async function openWorker(store: Store, origin: string) {
  const lines: Line[] = [];
  const keep: Logger["error"] = (message, fields = {}) => void lines.push([message, fields]);
  const logger = { info: keep, warn: keep, error: keep };
  const hookwright = await createHookwright({ store, secret, logger, trustedOrigins: [origin] });
  return { hookwright, lines, [Symbol.asyncDispose]: () => hookwright.close() };
}

/** Resolves with the first line that has the code. */
function lineOf(lines: readonly Line[], code: string): Promise<Line> {
  return vi.waitUntil(() => lines.find(([, fields]) => fields["code"] === code), { timeout: 30_000 });
}

/** A store with the bakery, whose webhook targets a receiver. */
async function openShop() {
  const receiver = await openReceiver();
  const store = memoryStore();
  await using api = await createHookwright({ store, secret, role: "api", trustedOrigins: [receiver.origin] });
  const { webhook } = await openBakery(api, `${receiver.origin}/hooks`);
  const set = (key: Key, value: string) => store.commit(key[0], { mutations: [{ type: "set", key, value }] });
  const publish = async (): Promise<string> => {
    await using process = await createHookwright({ store, secret, role: "api" });
    return (await publishReview(process, "rev_1")).deliveries[0] ?? "";
  };
  const ids = { account_id: "acc_bakery", webhook_id: webhook.id };
  return { receiver, store, set, publish, ids };
}

it("the line about a webhook without its signing secret has the ids of the delivery", async () => {
  const { receiver, store, publish, ids } = await openShop();
  const deliveryId = await publish();
  const key = [partitionOf(ids.account_id), "signing-secret", ids.account_id, ids.webhook_id] as const;
  await store.commit(key[0], { mutations: [{ type: "delete", key }] });
  await using worker = await openWorker(store, receiver.origin);
  const [message, fields] = await lineOf(worker.lines, "secret_missing");
  expect(message).toBe(logLines.secret_missing.message);
  expect(fields).toMatchObject({
    ...ids,
    delivery_id: deliveryId,
    error: expect.stringContaining(ids.webhook_id),
  });
  await receiver[Symbol.asyncDispose]();
});

it("the line about a damaged delivery names the delivery and its webhook", async () => {
  const { receiver, store, set, ids } = await openShop();
  const { account_id: accountId, webhook_id: webhookId } = ids;
  await set([partitionOf(accountId), "fresh", accountId, "review.submitted", webhookId, "dlv_damaged"], "{");
  await using worker = await openWorker(store, receiver.origin);
  const [, fields] = await lineOf(worker.lines, "delivery_unreadable");
  expect(fields).toMatchObject({ ...ids, error: expect.stringContaining("dlv_damaged") });
  await receiver[Symbol.asyncDispose]();
});

it("the line about damaged counters has the ids of the webhook", async () => {
  const { receiver, store, set, publish, ids } = await openShop();
  await publish();
  await set([partitionOf(ids.account_id), "webhook-health", ids.account_id, ids.webhook_id], "{");
  await using worker = await openWorker(store, receiver.origin);
  const [, fields] = await lineOf(worker.lines, "webhook_counters_unreadable");
  expect(fields).toMatchObject(ids);
  await receiver[Symbol.asyncDispose]();
});

it("the line about results that are not stored names the partition, and the result is stored later", async () => {
  const { receiver, store, publish } = await openShop();
  let isFull = true;
  const failing: Store = {
    ...store,
    commit(partition, commit) {
      const recordsResult = commit.mutations.some(({ key }) => key[1] === "delivery");
      if (!isFull || !recordsResult) return store.commit(partition, commit);
      return Promise.reject(new StorageError("unavailable", "the disk is full"));
    },
  };
  const deliveryId = await publish();
  await using worker = await openWorker(failing, receiver.origin);
  const [, fields] = await lineOf(worker.lines, "results_not_recorded");
  expect(fields).toMatchObject({
    partition: expect.stringMatching(/^p\d\d$/u),
    results: 1,
    error: "the disk is full",
  });
  isFull = false;
  await expect
    .poll(async () => (await worker.hookwright.deliveries.get("acc_bakery", deliveryId)).status)
    .toBe("delivered");
  await receiver[Symbol.asyncDispose]();
});
