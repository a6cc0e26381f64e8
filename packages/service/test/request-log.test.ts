import { randomBytes } from "node:crypto";
import { createIdSource, idsSince } from "@hookwright/domain";
import type { Commit } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RequestFilters } from "../src/request-log/request-filters.ts";
import { keys } from "../src/rows/keys.ts";
import { openRequestLog } from "./support/open-request-log.ts";

const day = 24 * 60 * 60 * 1_000;

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 9, 30) }));
afterEach(() => void vi.useRealTimers());

describe("the request log", () => {
  it("writes many requests in one commit, and lists them by account, newest first", async () => {
    const commits: Commit[] = [];
    const { log, add, written, ids } = openRequestLog({}, (store) => ({
      ...store,
      commit: (partition, commit) => {
        commits.push(commit);
        return store.commit(partition, commit);
      },
    }));
    add("acc_1", 3);
    add("acc_2");
    expect(commits).toEqual([]);
    await written();
    expect(commits).toHaveLength(2);
    expect(await ids("acc_1")).toEqual([3, 2, 1]);
    expect(await ids("acc_2")).toEqual([4]);
    expect((await log.list("acc_1", { limit: 1 })).meta.has_more).toBe(true);
  });

  it("truncates a long path", async () => {
    const { log } = openRequestLog();
    const path = `/v1/orders/${"x".repeat(60_000)}`;
    const request = {
      id: idsSince("req", Date.now()),
      method: "GET",
      path,
      status: 404,
      errorCode: "resource_not_found",
    };
    log.add("acc_1", { ...request, keyId: "key_1", keyName: "Tool", durationMs: 3, createdAt: Date.now() });
    const { rows } = await log.list("acc_1", { limit: 1 });
    expect(rows.map((row) => row.path)).toEqual([path.slice(0, 2_048)]);
  });

  it("lists recent requests of the same process at once", async () => {
    const { add, ids } = openRequestLog();
    add("acc_1", 2);
    add("acc_2");
    expect(await ids("acc_1")).toEqual([2, 1]);
    add("acc_1");
    const [first, second] = await Promise.all([ids("acc_1"), ids("acc_1")]);
    expect([first, second]).toEqual([
      [4, 2, 1],
      [4, 2, 1],
    ]);
  });

  it("lists the requests that match all filters", async () => {
    const { add, ids } = openRequestLog();
    const find = (filters: RequestFilters) => ids("acc_1", 100, filters);
    add("acc_1", 1, { status: 204, method: "DELETE", path: "/v1/webhooks/wh_1" });
    add("acc_1", 1, { status: 404, path: "/v1/orders/ord_1" });
    add("acc_1", 1, { status: 422, method: "POST", path: "/v1/webhooks", keyId: "key_2" });
    add("acc_1", 1, { status: 503 });
    expect(await find({})).toEqual([4, 3, 2, 1]);
    expect(await find({ key_id: "key_2" })).toEqual([3]);
    expect(await find({ key_id: "key_3" })).toEqual([]);
    expect(await find({ method: "get" })).toEqual([4, 2]);
    expect(await find({ status: "4xx" })).toEqual([3, 2]);
    expect(await find({ status: "2xx" })).toEqual([1]);
    expect(await find({ status: "5XX" })).toEqual([4]);
    expect(await find({ status: "404" })).toEqual([2]);
    expect(await find({ path: "/v1/webhooks" })).toEqual([3, 1]);
    expect(await find({ path: "/v1/webhooks", status: "4xx", method: "POST", key_id: "key_2" })).toEqual([3]);
    for (const status of ["xx", "6xx", "20", "2000", "2x", "-1", "099"])
      await expect(find({ status })).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("lists the requests of a time", async () => {
    const { log, add, ids } = openRequestLog();
    for (let minute = 0; minute < 4; minute++) {
      add("acc_1");
      vi.setSystemTime(Date.now() + 60_000);
    }
    const find = (filters: RequestFilters) => ids("acc_1", 100, filters);
    expect(await find({ since: "2026-11-20T09:31:00Z" })).toEqual([4, 3, 2]);
    expect(await find({ until: "2026-11-20T09:32:00Z" })).toEqual([2, 1]);
    const both = { since: "2026-11-20T09:31:00Z", until: "2026-11-20T09:33:00Z" };
    expect(await find(both)).toEqual([3, 2]);
    const { meta } = await log.list("acc_1", { limit: 1 }, both);
    const next = await log.list("acc_1", { limit: 1, cursor: meta.next_cursor ?? "" }, both);
    expect([next.rows.length, next.meta.has_more]).toEqual([1, false]);
    expect(await find({ since: "2027-01-01T00:00:00Z" })).toEqual([]);
    expect(await find({ since: "1970-01-01T00:00:00Z" })).toHaveLength(4);
    for (const name of ["since", "until"])
      await expect(find({ [name]: "yesterday" })).rejects.toMatchObject({
        code: "validation_failed",
        message: expect.stringContaining(name),
      });
  });

  it("continues with a cursor under the same filters only", async () => {
    const { log, add } = openRequestLog();
    add("acc_1", 3, { status: 404 });
    const first = await log.list("acc_1", { limit: 2 }, { status: "4xx" });
    const cursor = first.meta.next_cursor ?? "";
    expect((await log.list("acc_1", { limit: 2, cursor }, { status: "4xx" })).rows).toHaveLength(1);
    for (const filters of [{}, { status: "404" }, { status: "4xx", method: "GET" }])
      await expect(log.list("acc_1", { limit: 2, cursor }, filters)).rejects.toMatchObject({
        code: "invalid_cursor",
      });
  });

  it("reads a limited number of requests for a page with filters, and the next one continues there", async () => {
    const { log, add, written, read } = openRequestLog();
    add("acc_1", 1, { status: 404 });
    await written();
    add("acc_1", 6_000);
    await written();
    const found: number[] = [];
    let pages = 0;
    for (let cursor: string | null | undefined; cursor !== null; pages++) {
      read.entries = 0;
      const page = await log.list("acc_1", { limit: 25, cursor }, { status: "404" });
      expect(read.entries).toBeLessThanOrEqual(3_000);
      found.push(...page.rows.map(({ status }) => status));
      expect(page.meta.has_more).toBe(page.meta.next_cursor !== null);
      cursor = page.meta.next_cursor;
    }
    expect([found, pages]).toEqual([[404], 3]);
  });

  it("hides console requests that older versions stored, and still fills its pages", async () => {
    const { store, log, add, written, ids } = openRequestLog();
    const storeOfConsole = (id: string) => {
      const key = [...keys.requests("acc_1"), id] as const;
      const row = { id, method: "GET", path: "/v1/me", status: 200, errorCode: null, keyName: null };
      const value = JSON.stringify({ ...row, durationMs: 3, createdAt: Date.now() });
      return store.commit(key[0], { mutations: [{ type: "set", key, value }] });
    };
    const newId = createIdSource({ now: Date.now, randomBytes });
    for (let each = 0; each < 3; each++) {
      add("acc_1");
      await written();
      for (let count = 0; count < 700; count++) await storeOfConsole(newId("req"));
    }
    expect(await ids("acc_1")).toEqual([3, 2, 1]);
    const first = await log.list("acc_1", { limit: 2 });
    expect([first.rows.length, first.meta.has_more]).toEqual([2, true]);
    const second = await log.list("acc_1", { limit: 2, cursor: first.meta.next_cursor ?? "" });
    expect([second.rows.length, second.meta.has_more]).toEqual([1, false]);
    expect([...first.rows, ...second.rows].map(({ key_name: name }) => name)).toEqual([
      "Tool",
      "Tool",
      "Tool",
    ]);
  });

  it("hides requests that are older than the retention time", async () => {
    const { add, written, ids } = openRequestLog({ retentionMs: 30 * day });
    add("acc_1");
    await written();
    vi.setSystemTime(Date.now() + 29 * day);
    add("acc_1");
    await written();
    expect(await ids("acc_1")).toEqual([2, 1]);
    vi.setSystemTime(Date.now() + 2 * day);
    expect(await ids("acc_1")).toEqual([2]);
  });

  it("removes expired requests of one account in batches, and corrects the count", async () => {
    const { log, add, written, ids, stored, counted } = openRequestLog({ retentionMs: 30 * day });
    add("acc_1", 1_200);
    add("acc_2");
    await written();
    vi.setSystemTime(Date.now() + 31 * day);
    add("acc_1", 2);
    await written();
    expect(await stored("acc_1")).toBe(1_202);
    let pauses = 0;
    await log.sweep("acc_1", async () => void (pauses += 1));
    expect(pauses).toBe(2);
    expect(await ids("acc_1")).toEqual([1_203, 1_202]);
    expect([await stored("acc_1"), await counted("acc_1")]).toEqual([2, 2]);
    expect(await stored("acc_2")).toBe(1);
    await log.sweep("acc_2", () => Promise.reject(new Error("there is no second batch")));
    expect([await stored("acc_2"), await counted("acc_2")]).toEqual([0, 0]);
  });

  it("writes nothing if no request has expired", async () => {
    let commits = 0;
    const { log, add, written } = openRequestLog({ retentionMs: 30 * day }, (store) => ({
      ...store,
      commit: (partition, commit) => {
        commits += 1;
        return store.commit(partition, commit);
      },
    }));
    add("acc_1");
    await written();
    expect(commits).toBe(1);
    for (const account of ["acc_1", "acc_none"]) await log.sweep(account, async () => {});
    expect(commits).toBe(1);
  });

  it("stores no expiry times, which would outlive removed requests", async () => {
    const commits: Commit[] = [];
    const { add, written } = openRequestLog({ maximumKept: 100 }, (store) => ({
      ...store,
      commit: (partition, commit) => {
        commits.push(commit);
        return store.commit(partition, commit);
      },
    }));
    add("acc_1", 2_000);
    await written();
    const mutations = commits.flatMap((commit) => commit.mutations);
    expect(mutations.filter(({ type }) => type === "delete")).toHaveLength(1_500);
    expect(mutations.filter((mutation) => "expiresAt" in mutation)).toEqual([]);
  });

  /** Two processes with one store. The second process writes while the first reads the entries to remove. */
  function openTwo(maximumKept: number) {
    const store = memoryStore({ now: Date.now });
    const other = openRequestLog({ maximumKept }, () => store);
    const one = openRequestLog({ maximumKept }, () => ({
      ...store,
      async list(options) {
        const entries = await store.list(options);
        // Reading flushes the buffer of that process.
        await other.ids("acc_1");
        return entries;
      },
    }));
    return { one, other };
  }

  it("is trimmed once if two processes exceed the maximum at the same time", async () => {
    const { one, other } = openTwo(100);
    one.add("acc_1", 800);
    other.add("acc_1");
    await one.log.close();
    expect(await one.stored("acc_1")).toBe(301);
    expect(await one.counted("acc_1")).toBe(301);
  });

  it("counts removed requests once if two processes remove them and one saw a late request", async () => {
    const store = memoryStore({ now: Date.now });
    const filling = openRequestLog({}, () => store);
    filling.add("acc_1", 800);
    await filling.log.close();
    const [listed, listedLater, done] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    /** Lists entries, and waits before it removes them. */
    const openSlow = (own = listed, awaited = listedLater) =>
      openRequestLog({ maximumKept: 100 }, () => ({
        ...store,
        async list(options) {
          const entries = await store.list(options);
          own?.resolve();
          await awaited?.promise;
          return entries;
        },
      }));
    const first = openSlow();
    first.add("acc_1");
    const closing = first.log.close().then(done?.resolve);
    await listed?.promise;
    const second = openSlow(listedLater, done);
    const late = { id: idsSince("req", 0), method: "GET", path: "/v1/me", status: 200, errorCode: null };
    second.log.add("acc_1", { ...late, keyId: "key_1", keyName: "Tool", durationMs: 3, createdAt: 0 });
    await Promise.all([closing, second.log.close()]);
    expect([await first.stored("acc_1"), await first.counted("acc_1")]).toEqual([302, 302]);
  });

  it("corrects a count that is too high without removing requests", async () => {
    const { store, add, written, stored, counted } = openRequestLog({ maximumKept: 1_000 });
    add("acc_1", 3);
    await written();
    const key = keys.requestCount("acc_1");
    await store.commit(key[0], { mutations: [{ type: "sum", key, amount: 5_000 }] });
    add("acc_1");
    await written();
    expect([await stored("acc_1"), await counted("acc_1")]).toEqual([4, 4]);
  });

  it("keeps the count of another process while it corrects the count", async () => {
    const { one, other } = openTwo(1_000);
    const key = keys.requestCount("acc_1");
    await one.store.commit(key[0], { mutations: [{ type: "set", key, value: "5000" }] });
    one.add("acc_1", 3);
    other.add("acc_1", 2);
    await one.log.close();
    expect([await one.stored("acc_1"), await one.counted("acc_1")]).toEqual([5, 5]);
  });

  it("removes the oldest requests above the maximum, for each account separately", async () => {
    const { add, written, ids } = openRequestLog({ maximumKept: 100 });
    add("acc_2", 3);
    for (const count of [50, 50, 5_000, 50]) {
      add("acc_1", count);
      await written();
    }
    const kept = await ids("acc_1", 5_000);
    expect(kept.length).toBeLessThanOrEqual(100 + 500);
    expect(kept.length).toBeGreaterThanOrEqual(100);
    expect(kept[0]).toBe(5_153);
    expect(await ids("acc_2")).toHaveLength(3);
  });

  it("drops requests above 10,000 that wait to be written, the oldest of the account with the most", async () => {
    const { add, written, ids } = openRequestLog();
    add("acc_1", 12_500);
    add("acc_2", 3);
    add("acc_1", 12_497);
    await written();
    expect((await ids("acc_1", 30_000)).length).toBe(9_997);
    expect(await ids("acc_2")).toHaveLength(3);
    add("acc_1");
    await written();
    expect((await ids("acc_1", 1))[0]).toBe(25_001);
  });

  it("reports a write error to `onError` and goes on", async () => {
    let isUnavailable = true;
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const { add, written, ids } = openRequestLog({ onError }, (store) => ({
      ...store,
      commit: (partition, commit) =>
        isUnavailable ? Promise.reject(new Error("unavailable")) : store.commit(partition, commit),
    }));
    add("acc_1");
    await written();
    expect(errors).toHaveLength(1);
    isUnavailable = false;
    add("acc_1");
    await written();
    expect(await ids("acc_1")).toEqual([2]);
  });

  it("writes the buffer when it is closed, and drops later requests", async () => {
    const { log, add, ids } = openRequestLog();
    add("acc_1", 2);
    await log.close();
    add("acc_1");
    expect(await ids("acc_1")).toEqual([2, 1]);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });
});
