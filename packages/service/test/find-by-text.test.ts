import {
  createDelivery,
  endDelivery,
  findDeliveries,
  removeFromLog,
  toQueueMutations,
} from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import type { DeliveryFilters } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";
import { sampleAttempt } from "./support/sample-attempt.ts";

const accountId = "acc_1";

/** A record with this many resends. Every third one is still in the queue of one of three webhooks. */
async function openRecord(resends: number) {
  const base = memoryStore();
  let rowsRead = 0;
  const isRow = (value: string | undefined): boolean => value?.startsWith('["dlv_') === true;
  const store: Store = {
    ...base,
    async getMany(wanted) {
      const texts = await base.getMany(wanted);
      rowsRead += texts.filter(isRow).length;
      return texts;
    },
    async list(options) {
      const entries = await base.list(options);
      // A read of one entry finds a queue.
      if (options.limit > 1) rowsRead += entries.filter(({ value }) => isRow(value)).length;
      return entries;
    },
  };
  const { service } = openService({ store });
  await service.accounts.put(accountId, { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: accountId });
  const rows: DeliveryRow[] = [];
  for (let number = 0; number < resends; number++) {
    const webhookId = `wh_${number % 9}`;
    const event = number % 2 === 0 ? "order.created" : "order.paid";
    const delivery = createDelivery({
      id: `dlv_${String(number).padStart(6, "0")}`,
      webhook: { id: webhookId, event, target_url: "https://example.com/hook" },
      event,
      recordId: "ord_1",
      recordArrival: 1,
      projectId: "site_1",
      kind: "resend",
      now: number,
    });
    const ended = endDelivery({ accountId, delivery, attempt: sampleAttempt, endedAt: number });
    const waits = number % 3 === 0;
    await base.commit(partitionOf(accountId), {
      mutations: [
        ...(waits ? toQueueMutations(accountId, delivery) : ended.mutations),
        { type: "set", key: keys.deliveryOfRecord(accountId, "ord_1", delivery.id), value: "" },
      ],
    });
    rows.unshift(waits ? delivery : ended.delivery);
  }
  rowsRead = 0;
  return { service, store: base, rows, rowsRead: () => rowsRead };
}

type World = Awaited<ReturnType<typeof openRecord>>;

async function readPages({ service }: World, filters: DeliveryFilters, limit: number) {
  const shown: string[] = [];
  const lengths: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.deliveries.list(accountId, filters, { limit, cursor });
    shown.push(...page.rows.map(({ id }) => id));
    lengths.push(page.rows.length);
    cursor = page.meta.next_cursor ?? undefined;
    expect(page.meta.has_more).toBe(cursor !== undefined);
    // A cursor that does not advance would never end.
    expect(lengths.length).toBeLessThan(3_000);
  } while (cursor !== undefined);
  return { shown, lengths };
}

describe("deliveries of a record with many resends", () => {
  it.each([1, 10, 100])("a page of %i reads at most one row more than it shows", async (limit) => {
    const { service, rows, rowsRead } = await openRecord(1_200);
    const page = await service.deliveries.list(accountId, { q: "ord_1" }, { limit });
    expect(page.rows.map(({ id }) => id)).toEqual(rows.slice(0, limit).map(({ id }) => id));
    expect(rowsRead()).toBeLessThanOrEqual(limit + 1);
  });

  it("a page whose filters match nothing reads a few rows, and has a cursor", async () => {
    const { service, rowsRead } = await openRecord(1_200);
    const page = await service.deliveries.list(accountId, { q: "ord_1", status: "failed" }, { limit: 1 });
    expect(page).toMatchObject({ rows: [], meta: { has_more: true } });
    expect(rowsRead()).toBeLessThanOrEqual(50);
  });

  it.each<[DeliveryFilters, number]>([
    [{ q: "ord_1" }, 1],
    [{ q: "ord_1" }, 7],
    [{ q: "ord_1" }, 100],
    [{ q: "order.paid_ord_1" }, 10],
    [{ q: "ord_1", status: "pending" }, 10],
    [{ q: "ord_1", status: "delivered", webhook_id: "wh_4" }, 3],
    [{ q: "ord_1", webhook_id: "wh_6" }, 100],
    [{ q: "order.created_ord_1", status: "pending", webhook_id: "wh_6" }, 1],
    [{ q: "dlv_000012" }, 1],
    [{ q: "ord_1", kind: "test" }, 100],
  ])("all pages together have every match: %j, %i per page", async (filters, limit) => {
    const world = await openRecord(1_200);
    const { shown } = await readPages(world, filters, limit);
    const { q = "" } = filters;
    const sought = world.rows.filter(
      (row) =>
        [row.id, row.record_id, `${row.event}_${row.record_id}`].includes(q) &&
        (filters.status ?? row.status) === row.status &&
        (filters.webhook_id ?? row.webhook_id) === row.webhook_id &&
        (filters.kind ?? row.kind) === row.kind,
    );
    expect(shown).toEqual(sought.map(({ id }) => id));
  });

  it("deliveries that retention has removed do not end the list", async () => {
    const world = await openRecord(300);
    const removed = world.rows.slice(20, 200).map(({ id }) => id);
    for (const delivery of await findDeliveries(world.store, accountId, removed)) {
      // Ending a delivery removes it from its queue.
      const ended =
        delivery.status === "pending"
          ? endDelivery({ accountId, delivery, attempt: sampleAttempt, endedAt: 0 })
          : { delivery, mutations: [] };
      const mutations = [...ended.mutations, ...removeFromLog(accountId, ended.delivery)];
      await world.store.commit(partitionOf(accountId), { mutations });
    }
    const { shown } = await readPages(world, { q: "ord_1" }, 10);
    const left = world.rows.map(({ id }) => id).filter((id) => !removed.includes(id));
    expect(shown).toEqual(left);
  });
});
