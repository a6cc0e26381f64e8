import { randomBytes } from "node:crypto";
import { createCursorCodec } from "@hookwright/cursor";
import { createIdSource } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { vi } from "vitest";
import type { RequestFilters } from "../../src/request-log/request-filters.ts";
import { createRequestLog } from "../../src/request-log/request-log.ts";
import type { RequestLogOptions } from "../../src/request-log/request-log.ts";
import type { LoggedRequest } from "../../src/request-log/request-row.ts";
import { keys } from "../../src/rows/keys.ts";
import { countReads } from "./count-reads.ts";

/** A request log over memory. Its clock is that of the test, which must be a fake one. */
export function openRequestLog(
  options: Partial<RequestLogOptions> = {},
  wrap: (store: Store) => Store = (store) => store,
) {
  const { store, read } = countReads(wrap(memoryStore({ now: Date.now })));
  const log = createRequestLog({
    store,
    cursors: createCursorCodec({ secret: "s".repeat(32) }),
    now: Date.now,
    onError(error) {
      throw error;
    },
    ...options,
  });
  const newId = createIdSource({ now: Date.now, randomBytes });
  /** The number of each request, from 1. */
  const numbers = new Map<string, number>();
  return {
    store,
    read,
    log,
    add(accountId: string, count = 1, fields: Partial<LoggedRequest> = {}) {
      for (let index = 0; index < count; index++) {
        const id = newId("req");
        numbers.set(id, numbers.size + 1);
        log.add(accountId, {
          id,
          method: "GET",
          path: "/v1/orders",
          status: 200,
          errorCode: null,
          keyId: "key_1",
          keyName: "Tool",
          durationMs: 3,
          createdAt: Date.now(),
          ...fields,
        });
      }
    },
    written: () => vi.advanceTimersByTimeAsync(1_000),
    ids: async (accountId: string, limit = 100, filters: RequestFilters = {}) =>
      (await log.list(accountId, { limit }, filters)).rows.map(({ id }) => numbers.get(id)),
    stored: async (accountId: string) =>
      (await store.list({ prefix: keys.requests(accountId), limit: 100_000 })).length,
    counted: async (accountId: string) => Number(await store.get(keys.requestCount(accountId))),
  };
}
