import { createDelivery, settle, toOutboxMutations } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { eventNames } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import type { DeliveryFilters } from "../src/use-cases.ts";
import { countReads } from "./support/count-reads.ts";
import { openService } from "./support/open-service.ts";

const accountId = "acc_1";
const count = 2_500;

/** A delivery of one of 42 webhooks, for one of three sites. */
function deliveryOf(number: number): DeliveryRow {
  const webhook = number % 42;
  return createDelivery({
    id: `dlv_${String(number).padStart(4, "0")}`,
    accountId,
    webhook: { id: `wh_${webhook}`, target_url: `https://example.com/${webhook}` },
    event: eventNames[webhook % eventNames.length] ?? "order.created",
    recordId: `rec_${number}`,
    recordArrival: 1,
    projectId: `site_${number % 3}`,
    kind: number % 11 === 0 ? "resend" : "event",
    now: number,
  });
}

/** A log in which most deliveries have ended, and some wait. */
async function openLog() {
  const base = memoryStore();
  const { store, read } = countReads(base);
  const { service } = openService({ store });
  await service.accounts.put(accountId, { email: "owner@example.com" });
  for (const site of [0, 1, 2]) await service.projects.put(`site_${site}`, { account_id: accountId });
  const rows: DeliveryRow[] = [];
  for (let number = 0; number < count; number++) {
    const delivery = deliveryOf(number);
    const lane = { accountId, event: delivery.event, webhookId: delivery.webhook_id };
    const outcome = { type: "cancelled", reason: "webhook_removed" } as const;
    const settled = settle(
      { lane, place: { type: "fresh" }, delivery, endedAt: number, outcome },
      { retryDelaysSeconds: [], random: () => 0.5, webhookRemoved: true },
    );
    const waits = number % 5 === 0;
    await base.commit(partitionOf(accountId), {
      mutations: waits ? toOutboxMutations(accountId, delivery) : settled.mutations,
    });
    rows.unshift(waits ? delivery : settled.delivery);
  }
  read.lists = 0;
  read.entries = 0;
  return { service, rows, read };
}

it("a page of the whole log is one read of what has ended, and a little of each queue", async () => {
  const { service, rows, read } = await openLog();
  const page = await service.deliveries.list(accountId, {}, { limit: 100 });
  expect(page.rows.map(({ id }) => id)).toEqual(rows.slice(0, 100).map(({ id }) => id));
  expect(read.entries).toBeLessThan(1_000);
});

it("the log of one webhook costs nothing for the others", async () => {
  const { service, rows, read } = await openLog();
  const page = await service.deliveries.list(accountId, { webhook_id: "wh_7" }, { limit: 25 });
  const own = rows.filter(({ webhook_id: id }) => id === "wh_7");
  expect(page.rows.map(({ id }) => id)).toEqual(own.slice(0, 25).map(({ id }) => id));
  expect(read.lists).toBeLessThan(50);
});

it.each<DeliveryFilters>([
  {},
  { webhook_id: "wh_7" },
  { event: "order.paid" },
  { status: "pending" },
  { status: "cancelled" },
  { status: "cancelled", project_id: "site_1" },
  { project_id: "site_2" },
  { kind: "resend" },
  { kind: "resend", webhook_id: "wh_9" },
  { webhook_id: "wh_none" },
])("page by page the log is whole: %j", async (filters) => {
  const { service, rows } = await openLog();
  const shown: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.deliveries.list(accountId, filters, { limit: 100, cursor });
    shown.push(...page.rows.map(({ id }) => id));
    cursor = page.meta.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const sought = rows.filter(
    (row) =>
      (filters.webhook_id ?? row.webhook_id) === row.webhook_id &&
      (filters.event ?? row.event) === row.event &&
      (filters.status ?? row.status) === row.status &&
      (filters.project_id ?? row.project_id) === row.project_id &&
      (filters.kind ?? row.kind) === row.kind,
  );
  expect(shown).toEqual(sought.map(({ id }) => id));
});

it.each<DeliveryFilters>([
  { status: "\ud800" },
  { event: "\ud800" },
  { webhook_id: "\ud800" },
  { kind: "x".repeat(5_000) },
])("nothing is found by what no key can hold", async (filters) => {
  const { service } = await openLog();
  const page = await service.deliveries.list(accountId, filters, { limit: 100 });
  expect(page).toEqual({ rows: [], meta: { has_more: false, next_cursor: null } });
});

it.each([{ status: "\ud800" }, { number: "\ud800" }, { email: "\ud800@example.com" }])(
  "no order is found by what no key can hold",
  async (filters) => {
    const { service } = await openLog();
    const page = await service.orders.list(accountId, filters, { limit: 100 });
    expect(page).toEqual({ rows: [], meta: { has_more: false, next_cursor: null } });
  },
);

it("a log of thousands of webhooks is filtered by its rows, a bounded number in each request", async () => {
  const { store, read } = countReads(memoryStore());
  const { service } = openService({ store });
  await service.accounts.put(accountId, { email: "owner@example.com" });
  const ids: string[] = [];
  const deliveries = 6_000;
  for (let number = 0; number < deliveries; number++) {
    const webhookId = `wh_${number}`;
    const lane = { accountId, event: "order.created", webhookId } as const;
    const delivery: DeliveryRow = { ...deliveryOf(number), event: lane.event, webhook_id: webhookId };
    const outcome = { type: "cancelled", reason: "webhook_removed" } as const;
    const { mutations } = settle(
      { lane, place: { type: "fresh" }, delivery, endedAt: number, outcome },
      { retryDelaysSeconds: [], random: () => 0.5, webhookRemoved: true },
    );
    await store.commit(partitionOf(accountId), { mutations });
    if (delivery.kind === "resend") ids.unshift(delivery.id);
  }
  const shown: string[] = [];
  let cursor: string | undefined;
  do {
    read.lists = 0;
    read.entries = 0;
    const page = await service.deliveries.list(accountId, { kind: "resend" }, { limit: 10, cursor });
    expect(read.lists).toBeLessThan(2_100);
    expect(read.entries).toBeLessThan(3_000);
    shown.push(...page.rows.map(({ id }) => id));
    cursor = page.meta.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(shown).toEqual(ids);
  const { rows, meta } = await service.deliveries.list(accountId, { status: "failed" }, { limit: 1 });
  expect([rows, meta.has_more]).toEqual([[], true]);
});
