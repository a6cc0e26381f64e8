import { idsSince } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import type { ListOptions, Mutation } from "@hookwright/storage";
import { expect, it } from "vitest";
import { createDelivery, toQueueMutations } from "../../src/enqueue.ts";
import { countDeliveries } from "../../src/log/count-deliveries.ts";
import { listDeliveries, logKeyOf } from "../../src/log/delivery-log.ts";
import type { LogFilters } from "../../src/log/log-filters.ts";
import { renderDeliveryRow } from "../../src/storage/delivery-codec.ts";
import { renderLogValue } from "../../src/storage/log-value.ts";
import type { DeliveryRow } from "../../src/storage/delivery-row.ts";
import { keys } from "../../src/storage/keys.ts";
import { accountId, event, partition } from "../support/fake-world.ts";
import { toFaultyStore } from "../support/faulty-store.ts";

const minuteMs = 60_000;
const noon = Date.parse("2026-11-30T12:00:00Z");
const none = { pending: 0, delivered: 0, failed: 0, cancelled: 0 };

interface Given {
  /** Minutes after noon. */
  readonly at: number;
  readonly status: DeliveryRow["status"];
  readonly missedAt?: number;
  readonly changes?: Partial<DeliveryRow>;
}

function openLog() {
  const store = toFaultyStore(memoryStore({ now: () => noon }));
  const read = { entries: 0, statuses: new Set<string>() };
  store.onList = async (options: ListOptions, next) => {
    const found = await next(options);
    // A scan for the combinations reads single entries.
    if (options.limit === 1) return found;
    read.entries += found.length;
    for (const { key } of found) if (key[1] === "delivery-log") read.statuses.add(String(key.at(-3)));
    return found;
  };
  let made = 0;
  return {
    store,
    read,
    async add(...given: readonly Given[]): Promise<string[]> {
      const rows = given.map(({ at, status, missedAt, changes }): DeliveryRow => {
        made += 1;
        const created = noon + at * minuteMs;
        return {
          ...createDelivery({
            id: `${idsSince("dlv", created)}7${String(made).padStart(3, "0").slice(-3)}8${String(made).padStart(15, "0")}`,
            webhook: { id: "wh_1", event, target_url: "https://wh_1.example.com/" },
            event,
            recordId: `ord_${made}`,
            recordArrival: 1,
            projectId: "site_1",
            kind: "event",
            now: created,
            missedAt: missedAt === undefined ? undefined : noon + missedAt * minuteMs,
          }),
          status,
          ...changes,
        };
      });
      for (let first = 0; first < rows.length; first += 500) {
        const mutations = rows.slice(first, first + 500).flatMap((row): Mutation[] => {
          if (row.status === "pending") return toQueueMutations(accountId, row);
          const value = renderDeliveryRow(row);
          return [
            { type: "set", key: keys.delivery(accountId, row.id), value },
            { type: "set", key: logKeyOf(accountId, row), value: renderLogValue(row, value) },
          ];
        });
        await store.commit(partition, { mutations });
      }
      return rows.map(({ id }) => id);
    },
    count: (filters: LogFilters, maximum = 10_000) => countDeliveries(store, { accountId, filters, maximum }),
    async list(filters: LogFilters): Promise<{ readonly ids: readonly string[]; readonly pages: number }> {
      const ids: string[] = [];
      let [before, pages]: [string | undefined, number] = [undefined, 0];
      do {
        const page = await listDeliveries(store, { accountId, filters, before, limit: 20 });
        ids.push(...page.deliveries.map(({ id }) => id));
        before = page.next;
        pages += 1;
      } while (before !== undefined);
      return { ids, pages };
    },
  };
}

it("a missed event that was recovered and accepted after the period counts for the time at which it was missed", async () => {
  const log = openLog();
  const [first = "", later = "", , , resent = ""] = await log.add(
    { at: -130, status: "delivered" },
    { at: 0, status: "delivered", missedAt: -120 },
    { at: 0, status: "delivered", missedAt: -30 },
    { at: 0, status: "failed", missedAt: -120 },
    { at: 0, status: "failed", missedAt: -120, changes: { accepted_later: true } },
    { at: 0, status: "delivered" },
  );
  const period = { since: noon - 180 * minuteMs, until: noon - 60 * minuteMs };
  expect(await log.count(period)).toEqual({ ...none, delivered: 3 });
  expect(await log.count({ ...period, outcome: "delivered" })).toEqual({ ...none, delivered: 3 });
  expect(await log.count({ ...period, outcome: "failed" })).toEqual(none);
  expect(await log.count({ ...period, status: "delivered" })).toEqual({ ...none, delivered: 1 });
  expect((await log.list({ ...period, outcome: "delivered" })).ids).toEqual([resent, later, first]);
  expect((await log.list({ ...period, status: "delivered" })).ids).toEqual([first]);
});

it("the list of a period that is over reads no rows of later deliveries", async () => {
  const log = openLog();
  const [own = ""] = await log.add({ at: -120, status: "delivered" });
  await log.add(...Array.from({ length: 5_000 }, (): Given => ({ at: 0, status: "delivered" })));
  const [recovered = ""] = await log.add({ at: -30, status: "delivered", missedAt: -110 });
  let rows = 0;
  log.store.onGetMany = (wanted, next) => {
    rows += wanted.length;
    return next();
  };
  const { ids, pages } = await log.list({ until: noon - 60 * minuteMs, outcome: "delivered" });
  expect(ids).toEqual([recovered, own]);
  expect([pages, rows]).toEqual([1, 2]);
});

it("a count reads a bounded number of entries, although none matches", async () => {
  const log = openLog();
  const many = (status: Given["status"]) =>
    Array.from({ length: 800 }, (): Given => ({ at: 0, status, missedAt: -120 }));
  await log.add(...many("pending"), ...many("failed"), ...many("cancelled"));
  let rows = 0;
  log.store.onGetMany = (wanted, next) => {
    rows += wanted.length;
    return next();
  };
  expect(await log.count({}, 100)).toEqual(none);
  expect(log.read.entries).toBeLessThanOrEqual(3 * 500);
  expect(rows).toBe(0);
});

it.each(["pending", "failed", "cancelled"] as const)(
  "a count of the outcome %s visits no other status",
  async (outcome) => {
    const log = openLog();
    await log.add(
      { at: 0, status: "delivered" },
      { at: 0, status: "failed" },
      { at: 0, status: "cancelled" },
      { at: 0, status: "pending" },
    );
    const period = { since: noon - minuteMs };
    expect(await log.count({ ...period, outcome })).toEqual({ ...none, [outcome]: 1 });
    expect([...log.read.statuses].filter((status) => status !== outcome)).toEqual([]);
    expect(await log.count({ ...period, outcome, kind: "test" })).toEqual(none);
  },
);
