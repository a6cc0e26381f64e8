import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { benchSecret, createBenchAccount } from "./deliver.ts";
import { quietLogger } from "./quiet-logger.ts";
import { sampleOrder } from "./sample-order.ts";
import { openBenchStore, openStorage } from "./storages.ts";
import type { StorageName } from "./storages.ts";
import { median, say, whole } from "./table.ts";

const publishedTogether = 2_000;
const pageSize = 100;
const samples = 200;

/** An account with some orders. */
export interface FilledAccount extends AsyncDisposable {
  readonly hookwright: Hookwright;
  /** The cursor of the last page. */
  readonly lastPage: string | undefined;
}

/** Creates an account with this many orders in a storage of its own. */
export async function openOrders(name: StorageName, count: number): Promise<FilledAccount> {
  const opened = new AsyncDisposableStack();
  const storage = opened.use(await openStorage(name));
  const store = opened.use(await openBenchStore(storage.location));
  const hookwright = opened.use(
    await createHookwright({ store, secret: benchSecret, role: "api", logger: quietLogger }),
  );
  await createBenchAccount(hookwright, []);
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
    if (published % 100_000 === 0) say(`${name}: ${whole(published)} orders …`);
  }
  const lastPage = await findLastPage(hookwright);
  return { hookwright, lastPage, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

/** Finds the cursor of the last page as a client would: page by page. */
async function findLastPage({ orders }: Hookwright): Promise<string | undefined> {
  let cursor: string | undefined;
  for (;;) {
    const { meta } = await orders.list("acc_bench", {}, { limit: pageSize, cursor });
    if (meta.next_cursor === null) return cursor;
    cursor = meta.next_cursor;
  }
}

/** How the pages are read that are measured. */
export const pages: Readonly<Record<string, (account: FilledAccount) => Promise<unknown>>> = {
  "first page": ({ hookwright }) => hookwright.orders.list("acc_bench", {}, { limit: pageSize }),
  "last page": ({ hookwright, lastPage: cursor }) =>
    hookwright.orders.list("acc_bench", {}, { limit: pageSize, cursor }),
  "first page, by status": ({ hookwright }) =>
    hookwright.orders.list("acc_bench", { status: "paid" }, { limit: pageSize }),
};

/** Reads a page of each account alternately, so that all see the same variations of the machine. Medians in microseconds. */
export async function timeInTurn(
  accounts: readonly FilledAccount[],
  read: (account: FilledAccount) => Promise<unknown>,
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
