import { createDelivery, endDelivery, toQueueMutations } from "@hookwright/delivery";
import type { AttemptRow, DeliveryRow } from "@hookwright/delivery";
import { eventNames } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { DeliveryFilters } from "../src/use-cases.ts";
import { countReads } from "./support/count-reads.ts";
import { openService } from "./support/open-service.ts";
import { sampleAttempt } from "./support/sample-attempt.ts";

const accountId = "acc_1";
const count = 2_500;

/** A delivery of one of 42 webhooks, for one of three projects. */
function deliveryOf(number: number): DeliveryRow {
  const webhook = number % 42;
  const event = eventNames[webhook % eventNames.length] ?? "order.created";
  return createDelivery({
    id: `dlv_${String(number).padStart(4, "0")}`,
    webhook: { id: `wh_${webhook}`, event, target_url: `https://example.com/${webhook}` },
    event,
    recordId: `rec_${number}`,
    recordArrival: 1,
    projectId: `site_${number % 3}`,
    kind: number % 11 === 0 ? "resend" : "event",
    now: number,
  });
}

const failedAttempt: AttemptRow = { ...sampleAttempt, status: 500, error: "status" };

/** A log in which four of five deliveries have ended, every seventh of them with a failure. */
async function openLog() {
  const base = memoryStore();
  const { store, read } = countReads(base);
  const { service } = openService({ store });
  await service.accounts.put(accountId, { email: "owner@example.com" });
  for (const site of [0, 1, 2]) await service.projects.put(`site_${site}`, { account_id: accountId });
  const rows: DeliveryRow[] = [];
  for (let number = 0; number < count; number++) {
    const delivery = deliveryOf(number);
    const attempt = number % 7 === 0 ? failedAttempt : sampleAttempt;
    const ended = endDelivery({ accountId, delivery, attempt, endedAt: number });
    const waits = number % 5 === 0;
    await base.commit(partitionOf(accountId), {
      mutations: waits ? toQueueMutations(accountId, delivery) : ended.mutations,
    });
    rows.unshift(waits ? delivery : ended.delivery);
  }
  return { service, rows, read };
}

/** The tests only read it. */
let log: Awaited<ReturnType<typeof openLog>>;
beforeAll(async () => {
  log = await openLog();
});
beforeEach(() => Object.assign(log.read, { lists: 0, entries: 0 }));

it("a page without filters reads few entries", async () => {
  const { service, rows, read } = log;
  const page = await service.deliveries.list(accountId, {}, { limit: 100 });
  expect(page.rows.map(({ id }) => id)).toEqual(rows.slice(0, 100).map(({ id }) => id));
  expect(read.entries).toBeLessThan(1_000);
});

it.each<DeliveryFilters>([{ attempts_min: "2" }, { http_status: "503", kind: "event" }, { error: "dns" }])(
  "a request with a filter that no index has reads a limited number of rows: %j",
  async (filters) => {
    const { service, read } = log;
    const page = await service.deliveries.list(accountId, filters, { limit: 25 });
    expect([page.rows, page.meta.has_more]).toEqual([[], true]);
    expect(read.entries).toBeLessThan(3_000);
  },
);

it("a page of one webhook reads nothing of the others", async () => {
  const { service, rows, read } = log;
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
  { status: "delivered" },
  { status: "failed" },
  { status: "delivered", project_id: "site_1" },
  { project_id: "site_2" },
  { kind: "resend" },
  { kind: "resend", webhook_id: "wh_9" },
  { webhook_id: "wh_none" },
])("all pages together have every match: %j", async (filters) => {
  const { service, rows } = log;
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

it.each<DeliveryFilters>([{ event: "\ud800" }, { event: "x".repeat(5_000) }, { webhook_id: "\ud800" }])(
  "finds no delivery with a filter that no key can contain",
  async (filters) => {
    const { service } = log;
    const page = await service.deliveries.list(accountId, filters, { limit: 100 });
    expect(page).toEqual({ rows: [], meta: { has_more: false, next_cursor: null } });
  },
);

it.each([{ status: "\ud800" }, { number: "\ud800" }, { email: "\ud800@example.com" }])(
  "finds no order with a filter that no key can contain",
  async (filters) => {
    const { service } = log;
    const page = await service.orders.list(accountId, filters, { limit: 100 });
    expect(page).toEqual({ rows: [], meta: { has_more: false, next_cursor: null } });
  },
);

it("filters the rows of a log with thousands of webhooks, a limited number in each request", async () => {
  const { store, read } = countReads(memoryStore());
  const { service } = openService({ store });
  await service.accounts.put(accountId, { email: "owner@example.com" });
  const ids: string[] = [];
  const deliveries = 6_000;
  for (let number = 0; number < deliveries; number++) {
    const delivery: DeliveryRow = {
      ...deliveryOf(number),
      event: "order.created",
      webhook_id: `wh_${number}`,
    };
    const { mutations } = endDelivery({ accountId, delivery, attempt: sampleAttempt, endedAt: number });
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
