import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partitionOf, partitions } from "@hookwright/storage";
import type { Mutation, Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { expect, it } from "vitest";
import { addressOf, createDelivery, toQueueMutations } from "../src/enqueue.ts";
import type { WebhookRow } from "../src/storage/webhook-row.ts";
import { keys } from "../src/storage/keys.ts";
import { findMostWaiting, readWaiting } from "../src/waiting-deliveries.ts";

const accountId = "acc_1";
const event = "order.created";

async function openStore() {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-waiting-"));
  const opened = await openFilesystemStore({ directory });
  let listed = 0;
  const store: Store = {
    ...opened,
    async list(options) {
      const entries = await opened.list(options);
      listed += entries.length;
      return entries;
    },
  };
  return {
    store,
    listed: () => listed,
    async [Symbol.asyncDispose]() {
      await opened.close();
      await rm(directory, { recursive: true });
    },
  };
}

interface Queued {
  /** Published one millisecond after the other, from time 1,000. */
  readonly fresh: number;
  /** Due one millisecond after the other, from time 500. */
  readonly retries: number;
  readonly isRemoved?: boolean;
}

async function queue(store: Store, id: string, { fresh, retries, isRemoved = false }: Queued): Promise<void> {
  const row: WebhookRow = {
    id,
    event,
    target_url: "https://example.com",
    project_id: null,
    status: "active",
    created_at: 1,
    created_by: { type: "console", key_id: null, name: null, integration: false },
  };
  const deliver = (number: number) =>
    createDelivery({
      id: `dlv_${id}_${String(number).padStart(5, "0")}`,
      webhook: row,
      event,
      recordId: `ord_${number}`,
      recordArrival: 1,
      projectId: "site_1",
      kind: "event",
      now: 1_000 + number,
    });
  const numbers = (length: number) => Array.from({ length }, (_, number) => number);
  const address = { accountId, event, webhookId: id };
  const mutations: Mutation[] = [
    ...numbers(fresh).flatMap((number) => toQueueMutations(accountId, deliver(number))),
    ...numbers(retries).map((number): Mutation => ({
      type: "set",
      key: keys.retry(addressOf(accountId, deliver(0)), 500 + number, `dlv_${number}`),
      value: "",
    })),
  ];
  if (!isRemoved) mutations.push({ type: "set", key: keys.webhook(address), value: JSON.stringify(row) });
  await store.commit(partitionOf(accountId), { mutations });
}

it("the webhooks with most waiting deliveries are found without reading their queues", async () => {
  await using opened = await openStore();
  const { store, listed } = opened;
  await queue(store, "wh_few", { fresh: 5, retries: 0 });
  await queue(store, "wh_mixed", { fresh: 200, retries: 150 });
  await queue(store, "wh_many", { fresh: 3_000, retries: 0 });
  await queue(store, "wh_removed", { fresh: 4_000, retries: 0, isRemoved: true });
  await queue(store, "wh_idle", { fresh: 0, retries: 0 });
  const find = async (limit: number, webhooks: number) =>
    (await findMostWaiting(store, { partitions, limit, webhooks })).map(({ row, count, firstDueAt }) => [
      row.id,
      count,
      firstDueAt,
    ]);
  expect(await find(10_000, 4)).toEqual([
    ["wh_many", 3_000, 1_000],
    ["wh_mixed", 350, 500],
    ["wh_few", 5, 1_000],
  ]);
  // One entry of each queue.
  expect(listed()).toBe(5);
  // Of equal counts, the one that is due longest is first.
  expect(await find(300, 2)).toEqual([
    ["wh_mixed", 300, 500],
    ["wh_many", 300, 1_000],
  ]);
});

it("what waits for one webhook is counted up to a limit", async () => {
  await using opened = await openStore();
  const { store, listed } = opened;
  await queue(store, "wh_mixed", { fresh: 200, retries: 150 });
  const address = { accountId, event, webhookId: "wh_mixed" };
  expect(await readWaiting(store, address, 10_000)).toEqual({ count: 350, firstDueAt: 500 });
  expect(await readWaiting(store, address, 300)).toEqual({ count: 300, firstDueAt: 500 });
  expect(listed()).toBe(4);
  const nothing = { count: 0, firstDueAt: undefined };
  expect(await readWaiting(store, { ...address, webhookId: "wh_none" }, 300)).toEqual(nothing);
});
