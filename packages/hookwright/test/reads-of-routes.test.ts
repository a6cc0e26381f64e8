import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import { expect, it } from "vitest";
import { selectRoutes } from "../../api/src/routes/select-routes.ts";
import { createHookwright } from "../src/create-hookwright.ts";
import { fillAccount } from "./support/fill-account.ts";
import { hostToken, inOrder, lastOnes, nameOf, toRequests } from "./support/walk-routes.ts";

/** The rows in each list that can grow. Far more than any route reads that does not scan. */
const rows = 1_500;
/** What the routes may read that do not scan, with what is read to authenticate and to count a request. */
const most = { few: 120, page: 350 };

/** A store that counts the rows that were read. */
function countRows(base: Store) {
  const read = { rows: 0 };
  const store: Store = {
    ...base,
    async get(key) {
      read.rows += 1;
      return base.get(key);
    },
    async getMany(keys) {
      read.rows += keys.length;
      return base.getMany(keys);
    },
    async list(options) {
      const entries = await base.list(options);
      read.rows += Math.max(1, entries.length);
      return entries;
    },
  };
  return { store, read };
}

it("each route that scans says so", async () => {
  const { store, read } = countRows(memoryStore());
  const many = 1_000_000_000;
  await using hookwright = await createHookwright({
    store,
    secret: "s".repeat(32),
    role: "api",
    hostToken,
    rateLimitPerMinute: many,
    consoleRateLimitPerMinute: many,
    sendsPerMinute: many,
    logger: { info() {}, warn() {}, error: console.error },
  });
  const filled = await fillAccount({ hookwright, store }, "acc_large", rows);
  const routes = selectRoutes({ hostToken });
  const wrong: string[] = [];
  for (const route of inOrder(routes)) {
    const { reads } = route;
    if (reads !== "few" && reads !== "page") continue;
    for (const { method, path, headers, body } of toRequests(route, filled)) {
      read.rows = 0;
      const controller = new AbortController();
      const response = await hookwright.fetch(
        new Request(`http://localhost${path}`, {
          method,
          headers,
          signal: controller.signal,
          ...(body === undefined ? {} : { body }),
        }),
      );
      if (response.headers.get("content-type") === "text/event-stream") await response.body?.cancel();
      else await response.text();
      // A request that is refused reads nothing.
      if (response.status === 401 && route.access !== "public" && !lastOnes.includes(nameOf(route)))
        wrong.push(`${method} ${path} is refused`);
      if (read.rows > most[reads]) wrong.push(`${method} ${path} reads ${read.rows} rows`);
    }
  }
  expect(wrong).toEqual([]);
}, 60_000);
