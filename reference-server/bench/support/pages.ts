import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { sampleOrder } from "./sample-order.ts";

const publishedTogether = 500;
const pageSize = 100;
const samples = 200;

export interface PageFigures {
  /** Medians, in microseconds. */
  readonly firstPage: number;
  readonly lastPage: number;
  readonly byStatus: number;
}

/** An account with so many orders. The store is the caller's to close. */
export async function openOrders(
  store: Store,
  count: number,
  onProgress: (published: number) => void,
): Promise<Hookwright> {
  const hookwright = await createHookwright({ store, secret: "s".repeat(32), role: "api" });
  await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: "acc_bench", name: "Bench" });
  const firstAt = Date.UTC(2026, 0, 1);
  for (let published = 0; published < count; published += publishedTogether) {
    await Promise.all(
      Array.from({ length: Math.min(publishedTogether, count - published) }, (_, index) => {
        const number = published + index;
        const created_at = `${new Date(firstAt + number * 1_000).toISOString().slice(0, 19)}Z`;
        const status = number % 10 === 0 ? "paid" : "pending";
        const data = { ...sampleOrder(number), created_at, status };
        return hookwright.publish({ event: "order.created", project_id: "site_bench", data });
      }),
    );
    onProgress(published + publishedTogether);
  }
  return hookwright;
}

/** The cursor of the last page, found as a client would: page by page. */
export async function findLastPage({ orders }: Hookwright): Promise<string | undefined> {
  let cursor: string | undefined;
  for (;;) {
    const { meta } = await orders.list("acc_bench", {}, { limit: pageSize, cursor });
    if (meta.next_cursor === null) return cursor;
    cursor = meta.next_cursor;
  }
}

export async function measurePages(
  { orders }: Hookwright,
  lastPage: string | undefined,
): Promise<PageFigures> {
  return {
    firstPage: await time(() => orders.list("acc_bench", {}, { limit: pageSize })),
    lastPage: await time(() => orders.list("acc_bench", {}, { limit: pageSize, cursor: lastPage })),
    byStatus: await time(() => orders.list("acc_bench", { status: "paid" }, { limit: pageSize })),
  };
}

async function time(read: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const start = performance.now();
    await read();
    durations.push(performance.now() - start);
  }
  durations.sort((left, right) => left - right);
  return (durations[samples >> 1] ?? Number.NaN) * 1_000;
}
