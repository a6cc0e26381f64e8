import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openRequestLog } from "./support/open-request-log.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 9, 30) }));
afterEach(() => void vi.useRealTimers());
const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

describe("the counts of the request log", () => {
  it("are those of each class of statuses, under the filters", async () => {
    const { log, add } = openRequestLog();
    for (const status of [200, 201, 204, 304, 404, 422, 429, 500, 503]) add("acc_1", 1, { status });
    add("acc_1", 1, { status: 404, method: "DELETE", path: "/v1/webhooks/wh_1", keyId: "key_2" });
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
    const { log, add } = openRequestLog();
    add("acc_1", 1, { status: 503 });
    pass(60);
    add("acc_1");
    pass(2);
    add("acc_1", 1, { status: 404 });
    add("acc_1");
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
    const { log, add, read } = openRequestLog({ maximumKept: 20_000 });
    for (let round = 0; round < 2; round++) {
      add("acc_1", 6_000);
      await log.list("acc_1", { limit: 1 });
    }
    read.entries = 0;
    expect((await log.count("acc_1")).all).toBe(10_000);
    expect(read.entries).toBe(10_000);
    pass(120);
    add("acc_1");
    read.entries = 0;
    expect((await log.count("acc_1", {}, "1h")).all).toBe(1);
    expect(read.entries).toBe(1);
  });
});
