import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { benchSecret, createBenchAccount } from "../harness/deliver.ts";
import { sampleOrder } from "../harness/sample-order.ts";
import { openBenchStore } from "../harness/storages.ts";
import { median, say, whole } from "../harness/table.ts";

const publishedTogether = 2_000;
const pageSize = 100;
const samples = 200;

/** Medians in microseconds. */
export type PageFigures = Readonly<Record<"first page" | "last page" | "first page, by status", number>>;

/**
 * Accounts with this many orders each, each in a storage of its own. The arguments are storages and numbers in turn. It reports when they
 * are ready. Each message of the parent asks for one round of results per account.
 */
interface Filled {
  readonly hookwright: Hookwright;
  /** The cursor of the last page. */
  readonly lastPage: string | undefined;
}

/** Creates an account with this many orders. */
async function open(storage: string, count: number): Promise<Filled> {
  const store = await openBenchStore(storage);
  const hookwright = await createHookwright({ store, secret: benchSecret, role: "api" });
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
    if (published % 100_000 === 0) say(`${storage}: ${whole(published)} orders …`);
  }
  return { hookwright, lastPage: await findLastPage(hookwright) };
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

/** Reads the same page of each account alternately, so that all see the same variations of the machine. */
async function timeInTurn(read: (account: Filled) => Promise<unknown>): Promise<number[]> {
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

async function measurePages(): Promise<PageFigures[]> {
  const first = await timeInTurn(({ hookwright }) =>
    hookwright.orders.list("acc_bench", {}, { limit: pageSize }),
  );
  const last = await timeInTurn(({ hookwright, lastPage: cursor }) =>
    hookwright.orders.list("acc_bench", {}, { limit: pageSize, cursor }),
  );
  const byStatus = await timeInTurn(({ hookwright }) =>
    hookwright.orders.list("acc_bench", { status: "paid" }, { limit: pageSize }),
  );
  return accounts.map((_, index) => ({
    "first page": first[index] ?? Number.NaN,
    "last page": last[index] ?? Number.NaN,
    "first page, by status": byStatus[index] ?? Number.NaN,
  }));
}

process.on("disconnect", () => process.exit());
const args = process.argv.slice(2);
const accounts: Filled[] = [];
for (let at = 0; at < args.length; at += 2) accounts.push(await open(args[at] ?? "", Number(args[at + 1])));
process.on("message", async () => process.send?.(await measurePages()));
process.send?.("ready");
