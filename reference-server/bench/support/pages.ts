import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { sampleOrder } from "./sample-order.ts";
import { median } from "./table.ts";

const publishedTogether = 2_000;
const pageSize = 100;
const samples = 200;

export interface PageFigures {
  /** Medians in microseconds. */
  readonly firstPage: number;
  readonly lastPage: number;
  readonly byStatus: number;
}

/** Creates an account with this many orders. The caller must close the store. */
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

/** Finds the cursor of the last page as a client would: page by page. */
export async function findLastPage({ orders }: Hookwright): Promise<string | undefined> {
  let cursor: string | undefined;
  for (;;) {
    const { meta } = await orders.list("acc_bench", {}, { limit: pageSize, cursor });
    if (meta.next_cursor === null) return cursor;
    cursor = meta.next_cursor;
  }
}

export interface OrdersToRead {
  readonly hookwright: Hookwright;
  /** The cursor of the last page. */
  readonly lastPage: string | undefined;
}

/** Reads the same page of each account alternately, so that all see the same variations of the machine. */
export async function measurePages(accounts: readonly OrdersToRead[]): Promise<PageFigures[]> {
  const firstPage = await timeInTurn(accounts, ({ hookwright }) =>
    hookwright.orders.list("acc_bench", {}, { limit: pageSize }),
  );
  const lastPage = await timeInTurn(accounts, ({ hookwright, lastPage: cursor }) =>
    hookwright.orders.list("acc_bench", {}, { limit: pageSize, cursor }),
  );
  const byStatus = await timeInTurn(accounts, ({ hookwright }) =>
    hookwright.orders.list("acc_bench", { status: "paid" }, { limit: pageSize }),
  );
  return accounts.map((_, index) => ({
    firstPage: firstPage[index] ?? Number.NaN,
    lastPage: lastPage[index] ?? Number.NaN,
    byStatus: byStatus[index] ?? Number.NaN,
  }));
}

async function timeInTurn(
  accounts: readonly OrdersToRead[],
  read: (account: OrdersToRead) => Promise<unknown>,
): Promise<number[]> {
  const durations: number[][] = accounts.map(() => []);
  for (let sample = 0; sample < samples; sample++) {
    for (const [index, account] of accounts.entries()) {
      const start = performance.now();
      await read(account);
      durations[index]?.push(performance.now() - start);
    }
  }
  return durations.map((each) => median(each) * 1_000);
}
