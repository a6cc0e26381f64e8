import { sampleDeliveryBody } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { expect, it } from "vitest";
import type { PageRequest } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";

/** Opens a site with one order for each number of lines. A line has 1.5 kB. The last order is the newest. */
async function openShop(linesOfOrders: readonly number[]) {
  const read = { calls: 0, characters: 0 };
  const countReads = (inner: Store): Store => ({
    ...inner,
    async getMany(keys) {
      const texts = await inner.getMany(keys);
      read.calls += 1;
      for (const text of texts) read.characters += text?.length ?? 0;
      return texts;
    },
  });
  const { service } = openService({ wrap: countReads });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: "acc_1" });
  const { data } = sampleDeliveryBody("order.created");
  const line = { name: "é".repeat(500), sku: "L".repeat(200), quantity: 1, price: 1, total: 1 };
  for (const [index, lines] of linesOfOrders.entries()) {
    const items = Array.from({ length: lines }, () => line);
    const order = {
      ...data,
      id: `ord_${index}`,
      items,
      created_at: new Date(Date.UTC(2026, 10, 20, 10, 0, index)).toISOString(),
    };
    await service.publish({ event: "order.created", project_id: "site_1", data: order });
  }
  const list = (page: PageRequest) => {
    Object.assign(read, { calls: 0, characters: 0 });
    return service.orders.list("acc_1", {}, page);
  };
  return { list, read };
}

const newestFirst = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `ord_${count - 1 - index}`);

it("a page of very long rows ends early, and the next page continues after it", async () => {
  const { list, read } = await openShop(Array.from({ length: 60 }, () => 160));
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { rows, meta } = await list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    const shown = rows.map(({ json }) => json);
    expect(shown.join("").length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(read.characters).toBeLessThan(10 * 1024 * 1024);
    pages.push(shown.map((json) => String(JSON.parse(json).id)));
    expect(meta.has_more).toBe(meta.next_cursor !== null);
    cursor = meta.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages.flat()).toEqual(newestFirst(60));
  expect(pages.length).toBeGreaterThan(1);
  expect(Math.min(...pages.slice(0, -1).map(({ length }) => length))).toBeGreaterThanOrEqual(4);
});

it("a page of short rows needs two reads, and a page of few rows one read", async () => {
  const { list, read } = await openShop(Array.from({ length: 30 }, () => 1));
  const { rows, meta } = await list({ limit: 30 });
  expect(rows).toHaveLength(30);
  expect(meta).toEqual({ has_more: false, next_cursor: null });
  expect(read.calls).toBe(2);
  expect((await list({ limit: 8 })).rows).toHaveLength(8);
  expect(read.calls).toBe(1);
});

it("a page ends early if later rows are longer than the first rows", async () => {
  const { list } = await openShop([
    ...Array.from({ length: 60 }, () => 160),
    ...Array.from({ length: 10 }, () => 1),
  ]);
  const { rows, meta } = await list({ limit: 100 });
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThan(70);
  expect(meta.has_more).toBe(true);
});
