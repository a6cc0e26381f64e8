import { idsSince } from "@hookwright/domain";
import type { ListOptions } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { logKeyOf } from "../src/log/delivery-log.ts";
import { listEnded } from "../src/log/ended-deliveries.ts";
import type { EndedPage, EndedPosition, EndedQuery } from "../src/log/ended-deliveries.ts";
import { createDelivery } from "../src/enqueue.ts";
import { renderDeliveryRow } from "../src/storage/delivery-codec.ts";
import type { DeliveryKind, DeliveryRow, DeliveryStatus } from "../src/storage/delivery-row.ts";
import { keys } from "../src/storage/keys.ts";
import { accountId, event, partition } from "./support/fake-world.ts";

const begin = Date.UTC(2026, 10, 20);
const address = { accountId, event, webhookId: "wh_1" };

interface Written {
  readonly minute: number;
  readonly status: DeliveryStatus;
  readonly kind: DeliveryKind;
  readonly projectId: string;
  readonly webhookId: string;
}

function toRow({ minute, status, kind, projectId, webhookId }: Written): DeliveryRow {
  const now = begin + minute * 60_000;
  const id = `${idsSince("dlv", now)}-${projectId}-${status}-${kind}`;
  const webhook = { id: webhookId, event, target_url: "https://example.com/" };
  const row = createDelivery({ id, webhook, event, recordId: id, recordArrival: 1, projectId, kind, now });
  return { ...row, status, completed_at: now };
}

/** Ten minutes of deliveries in all states, of two sites and two webhooks. */
async function openLog() {
  const store = memoryStore();
  const rows: DeliveryRow[] = [];
  for (let minute = 0; minute < 10; minute++)
    for (const status of ["pending", "delivered", "failed", "cancelled"] as const)
      for (const kind of ["event", "resend", "test"] as const)
        for (const projectId of ["site_1", "site_2"])
          for (const webhookId of ["wh_1", "wh_2"])
            rows.push(toRow({ minute, status, kind, projectId, webhookId }));
  await store.commit(partition, {
    mutations: rows.flatMap((row) => [
      { type: "set", key: keys.delivery(accountId, row.id), value: renderDeliveryRow(row) },
      { type: "set", key: logKeyOf(accountId, row), value: "" },
    ]),
  });
  return { store, rows };
}

const query: Omit<EndedQuery, "limit"> = {
  ...address,
  statuses: ["failed", "cancelled"],
  kinds: ["resend", "event"],
  from: idsSince("dlv", begin + 2 * 60_000),
  before: idsSince("dlv", begin + 7 * 60_000),
  onUnreadable: () => {},
};

async function readAll(store: Parameters<typeof listEnded>[0], asked: EndedQuery): Promise<DeliveryRow[]> {
  const found: DeliveryRow[] = [];
  for (let after: EndedPosition | undefined; ;) {
    const page: EndedPage = await listEnded(store, { ...asked, after });
    expect(page.deliveries.length).toBeLessThanOrEqual(asked.limit);
    found.push(...page.deliveries);
    if (page.next === undefined) return found;
    after = page.next;
  }
}

it.each([1, 3, 7, 100])("pages of %i have exactly the wanted deliveries, each once", async (limit) => {
  const { store, rows } = await openLog();
  const found = await readAll(store, { ...query, limit });
  const wanted = rows.filter(
    (row) =>
      row.webhook_id === "wh_1" &&
      ["failed", "cancelled"].includes(row.status) &&
      row.kind !== "test" &&
      row.created_at >= begin + 2 * 60_000 &&
      row.created_at < begin + 7 * 60_000,
  );
  expect(wanted).toHaveLength(40);
  expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
});

it("an account without a log has no deliveries", async () => {
  expect(await listEnded(memoryStore(), { ...query, limit: 10 })).toEqual({
    deliveries: [],
    next: undefined,
  });
});

it("accepted deliveries cost no reads, however many there are", async () => {
  const store = memoryStore();
  const accepted = Array.from({ length: 5_000 }, (_, minute) =>
    toRow({ minute, status: "delivered", kind: "event", projectId: "site_1", webhookId: "wh_1" }),
  );
  const failed = toRow({
    minute: 3,
    status: "failed",
    kind: "event",
    projectId: "site_1",
    webhookId: "wh_1",
  });
  await store.commit(partition, {
    mutations: [...accepted, failed].flatMap((row) => [
      { type: "set", key: keys.delivery(accountId, row.id), value: renderDeliveryRow(row) },
      { type: "set", key: logKeyOf(accountId, row), value: "" },
    ]),
  });
  let entries = 0;
  const counted = {
    ...store,
    async list(options: ListOptions) {
      const listed = await store.list(options);
      entries += listed.length;
      return listed;
    },
  };
  const page = await listEnded(counted, { ...query, limit: 50 });
  expect(page).toMatchObject({ deliveries: [{ id: failed.id }], next: undefined });
  expect(entries).toBeLessThan(200);
});
