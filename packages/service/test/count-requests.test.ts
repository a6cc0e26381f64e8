import { randomBytes } from "node:crypto";
import { createCursorCodec } from "@hookwright/cursor";
import { createIdSource } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { createRequestLog } from "../src/request-log/request-log.ts";
import type { LoggedRequest } from "../src/request-log/request-row.ts";

const minute = 60_000;
const start = Date.UTC(2026, 10, 20, 9, 30);

function openLog(maximumKept?: number) {
  let time = start;
  const now = (): number => time;
  const store = memoryStore({ now });
  let read = 0;
  const log = createRequestLog({
    store: {
      ...store,
      async list(options) {
        const entries = await store.list(options);
        read += entries.length;
        return entries;
      },
    },
    cursors: createCursorCodec({ secret: "s".repeat(32) }),
    now,
    onError: (error) => {
      throw error;
    },
    maximumKept,
  });
  const newId = createIdSource({ now, randomBytes });
  return {
    log,
    add(fields: Partial<LoggedRequest> = {}): void {
      log.add("acc_1", {
        id: newId("req"),
        method: "GET",
        path: "/v1/orders",
        status: 200,
        errorCode: null,
        keyId: "key_1",
        keyName: "Tool",
        durationMs: 3,
        createdAt: time,
        ...fields,
      });
    },
    wait: (ms: number) => void (time += ms),
    takeRead: () => {
      const before = read;
      read = 0;
      return before;
    },
  };
}

describe("the counts of the request log", () => {
  it("are those of each class of statuses, under the filters", async () => {
    const { log, add } = openLog();
    for (const status of [200, 201, 204, 304, 404, 422, 429, 500, 503]) add({ status });
    add({ status: 404, method: "DELETE", path: "/v1/webhooks/wh_1", keyId: "key_2" });
    const none = { all: 0, ok: 0, client_error: 0, server_error: 0, rate_limited: 0 };
    expect(await log.count("acc_1")).toEqual({
      all: 10,
      ok: 3,
      client_error: 4,
      server_error: 2,
      rate_limited: 1,
    });
    expect(await log.count("acc_1", { status: "5xx" })).toEqual({ ...none, all: 2, server_error: 2 });
    for (const filters of [{ method: "delete" }, { path: "/v1/webhooks" }, { key_id: "key_2" }])
      expect(await log.count("acc_1", filters)).toEqual({ ...none, all: 1, client_error: 1 });
    expect(await log.count("acc_1", { key_id: "key_3" })).toEqual(none);
    expect(await log.count("acc_2")).toEqual(none);
    await expect(log.count("acc_1", { status: "many" })).rejects.toMatchObject({ code: "validation_failed" });
    await expect(log.count("acc_1", { since: "now" })).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("with a period, are those of the period and of each of its buckets", async () => {
    const { log, add, wait } = openLog();
    add({ status: 503 });
    wait(60 * minute);
    add();
    wait(2 * minute);
    add({ status: 404 });
    add();
    const { series = [], step_seconds, ...counts } = await log.count("acc_1", {}, "1h");
    expect(counts).toEqual({ all: 3, ok: 2, client_error: 1, server_error: 0, rate_limited: 0 });
    expect([step_seconds, series.length, series.at(-1)?.at]).toEqual([60, 60, "2026-11-20T10:32:00Z"]);
    expect(series.slice(-3)).toEqual([
      { at: "2026-11-20T10:30:00Z", ok: 1, client_error: 0, server_error: 0 },
      { at: "2026-11-20T10:31:00Z", ok: 0, client_error: 0, server_error: 0 },
      { at: "2026-11-20T10:32:00Z", ok: 1, client_error: 1, server_error: 0 },
    ]);
    expect((await log.count("acc_1", {}, "24h")).server_error).toBe(1);
    const narrowed = await log.count("acc_1", { since: "2026-11-20T10:31:00Z" }, "1h");
    expect([narrowed.all, narrowed.series?.at(-3)?.ok]).toEqual([2, 0]);
  });

  it("read at most 10,000 requests, and with a period only those of the period", async () => {
    const { log, add, wait, takeRead } = openLog(20_000);
    for (let round = 0; round < 2; round++) {
      for (let count = 0; count < 6_000; count++) add();
      await log.list("acc_1", { limit: 1 });
    }
    takeRead();
    expect((await log.count("acc_1")).all).toBe(10_000);
    expect(takeRead()).toBe(10_000);
    wait(120 * minute);
    add();
    expect((await log.count("acc_1", {}, "1h")).all).toBe(1);
    expect(takeRead()).toBe(1);
  });
});
