import { spawnSync } from "node:child_process";
import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import { Registry } from "@prometheus-io/client";
import { describe, expect, it } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import type { Hookwright } from "../src/create-hookwright.ts";
import type { HookwrightOptions } from "../src/options/options.ts";
import { openReceiver } from "./support/open-receiver.ts";

const secret = "s".repeat(32);
/** Nothing listens there. */
const closedPort = "http://127.0.0.1:1/hook";
const silent = { info: () => {}, warn: () => {}, error: () => {} };

function open(options: Partial<HookwrightOptions> = {}): Promise<Hookwright> {
  return createHookwright({
    store: memoryStore(),
    secret,
    privateTargets: true,
    metrics: "public",
    logger: silent,
    ...options,
  });
}

/** The values of a metric of some instances, added up by their labels. */
async function sum(instances: readonly Hookwright[], name: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { fetch } of instances) {
    const text = await (await fetch(new Request("http://localhost/metrics"))).text();
    for (const line of text.split("\n")) {
      const [, metric = "", labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/u.exec(line) ?? [];
      if (metric === name) sums[labels] = (sums[labels] ?? 0) + Number(value);
    }
  }
  return sums;
}

async function addShop(hookwright: Hookwright, account: string, targetUrl: string): Promise<void> {
  await hookwright.accounts.put(account, { email: "owner@example.com" });
  await hookwright.projects.put(`site-${account}`, { account_id: account, name: "Shop" });
  await hookwright.webhooks.create(
    { accountId: account, credential: { type: "console" } },
    { event: "subscriber.created", target_url: targetUrl },
  );
}

function publish(hookwright: Hookwright, account: string, email: string) {
  return hookwright.subscribers.subscribe(account, { project_id: `site-${account}`, email });
}

describe("two workers on one store", () => {
  it("add up: each queue, webhook and partition is counted once", async () => {
    const store = memoryStore();
    await using api = await open({ store, role: "api" });
    await using first = await open({ store, role: "worker", retryDelaysSeconds: [600] });
    await using second = await open({ store, role: "worker", retryDelaysSeconds: [600] });
    const all = [api, first, second];
    const workers = [first, second];
    await expect.poll(() => workers.map(({ scheduler }) => scheduler.stats.partitions)).toEqual([32, 32]);
    const accounts = Array.from({ length: 6 }, (_, index) => `acc_${index}`);
    for (const account of accounts) await addShop(api, account, closedPort);
    for (const account of accounts) await publish(api, account, "ada@example.com");
    const recorded = (): number => first.scheduler.stats.recorded + second.scheduler.stats.recorded;
    await expect.poll(recorded).toBe(6);
    const failed = 'event="subscriber.created",kind="event",error="connect"';
    expect(await sum(all, "hookwright_attempts_total")).toEqual({ [failed]: 6 });
    expect(await sum(all, "hookwright_first_attempt_delay_seconds_count")).toEqual({ "": 6 });
    expect(await sum(all, "hookwright_partitions_leased")).toEqual({ "": 64 });
    expect(await sum(all, "hookwright_webhooks")).toEqual({
      'status="active"': 6,
      'status="paused"': 0,
      'status="switched_off"': 0,
      'status="disabled_by_host"': 0,
    });
    expect(await sum(all, "hookwright_queue_depth")).toEqual({ 'queue="new"': 0, 'queue="retry"': 6 });
    const { due, ...outcomes } = (await api.stats()).events;
    expect([due, outcomes]).toEqual([6, { delivered: 0, pending: 6, failed: 0, cancelled: 0, not_sent: 0 }]);
    expect(await sum(all, "hookwright_events")).toEqual(
      Object.fromEntries(Object.entries(outcomes).map(([name, count]) => [`outcome="${name}"`, count])),
    );
    expect(await sum(all, "hookwright_lease_changes_total")).toEqual({
      'change="acquired"': 96,
      'change="released"': 32,
      'change="lost"': 0,
    });
  });
});

it("the accounts that lose most events have a sample of their own, at most ten", async () => {
  await using hookwright = await open({ role: "all" });
  await expect.poll(() => hookwright.scheduler.stats.partitions).toBe(64);
  for (let account = 1; account <= 12; account++) {
    const id = `acc_${account}`;
    await addShop(hookwright, id, closedPort);
    const [webhook] = (await hookwright.webhooks.list(id)).rows;
    await hookwright.webhooks.pause(id, webhook?.id ?? "");
    for (let event = 0; event < account; event++) await publish(hookwright, id, `ada${event}@example.com`);
  }
  const lost = await sum([hookwright], "hookwright_account_events_not_delivered");
  expect(lost).toEqual(
    Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`account_id="acc_${index + 3}"`, index + 3]),
    ),
  );
});

it("two instances in one process have their own registries, which can be merged with one of the program", async () => {
  await using first = await open({ role: "api" });
  await using second = await open({ role: "api", buildCommit: "2867e59c" });
  await first.fetch(new Request("http://localhost/nowhere"));
  expect(await sum([first], "hookwright_request_errors_total")).toEqual({ 'code="not_found"': 1 });
  expect(await sum([second], "hookwright_request_errors_total")).toEqual({});
  expect(Object.keys(await sum([second], "hookwright_build_info"))).toEqual([
    `version="0.0.0",commit="2867e59c",node="${process.versions.node}",storage="memory",role="api"`,
  ]);
  const merged = await Registry.merge([new Registry(), first.metrics]).metrics();
  expect(merged).toContain("hookwright_requests_total{");
});

it("requests that a rate limit refuses are counted by limit and code", async () => {
  await using hookwright = await open({ role: "api", rateLimitPerMinute: 1 });
  await addShop(hookwright, "acc_1", "https://receiver.example.com/hook");
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "test" });
  const headers = { authorization: `Bearer ${key}` };
  for (let request = 0; request < 3; request += 1)
    await hookwright.fetch(new Request("http://localhost/v1/me", { headers }));
  expect(await sum([hookwright], "hookwright_requests_rate_limited_total")).toMatchObject({
    'limit="default"': 2,
    'limit="console"': 0,
  });
  expect(await sum([hookwright], "hookwright_request_errors_total")).toEqual({ 'code="rate_limited"': 2 });
});

it("webhooks that are switched off are counted, and show in the webhooks", async () => {
  await using hookwright = await open({ retryDelaysSeconds: [600], endpointBackoffSeconds: 0 });
  await addShop(hookwright, "acc_1", closedPort);
  for (let index = 0; index < 31; index += 1) await publish(hookwright, "acc_1", `a${index}@example.com`);
  await expect
    .poll(() => sum([hookwright], "hookwright_webhooks_switched_off_total"))
    .toEqual({ 'reason="failures"': 1, 'reason="gone"': 0 });
  expect(await sum([hookwright], "hookwright_attempts_total")).toMatchObject({
    'event="subscriber.created",kind="event",error="connect"': expect.any(Number),
  });
});

describe("a store that fails", () => {
  function toFailing(store: Store) {
    const state = { fails: false };
    const failing: Store = {
      ...store,
      list: async (options) => {
        if (state.fails) throw new Error("list failed");
        return store.list(options);
      },
    };
    return { failing, state };
  }

  it("shows in the errors of the store and of the log, and leaves out what cannot be counted", async () => {
    const { failing, state } = toFailing(memoryStore());
    await using hookwright = await open({ store: failing });
    state.fails = true;
    expect(await sum([hookwright], "hookwright_queue_depth")).toEqual({});
    expect(await sum([hookwright], "hookwright_store_errors_total")).toMatchObject({
      'operation="list",code="other"': expect.any(Number),
    });
    await expect
      .poll(() => sum([hookwright], "hookwright_errors_total"))
      .toMatchObject({ 'level="error",code="leases_not_renewed"': expect.any(Number) });
    state.fails = false;
  });

  it("does not delay a scrape by more than seconds if it does not respond", async () => {
    const store = memoryStore();
    let hangs = false;
    const hanging: Store = {
      ...store,
      list: (options) => (hangs ? new Promise(() => {}) : store.list(options)),
      commit: (partition, commit) => (hangs ? new Promise(() => {}) : store.commit(partition, commit)),
    };
    const hookwright = await open({ store: hanging, role: "api" });
    hangs = true;
    const startedAt = performance.now();
    expect(await sum([hookwright], "hookwright_storage_writable")).toEqual({ "": 0 });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    hangs = false;
    await hookwright.close();
  });
});

it("the free space of the storage shows if the storage knows it, and the clock of the process", async () => {
  const readSpace = async () => ({ freeBytes: 30, totalBytes: 100 });
  const now = (): number => 1_764_000_000_000;
  await using known = await open({ role: "api", store: { ...memoryStore(), readSpace }, now });
  expect(await sum([known], "hookwright_storage_free_bytes")).toEqual({ "": 30 });
  expect(await sum([known], "hookwright_storage_size_bytes")).toEqual({ "": 100 });
  expect(await sum([known], "hookwright_time_seconds")).toEqual({ "": 1_764_000_000 });
  await using unknown = await open({ role: "api" });
  expect(await sum([unknown], "hookwright_storage_free_bytes")).toEqual({});
});

it("each error of the log has a first value of 0, for rates", async () => {
  await using hookwright = await open({ role: "api" });
  expect(await sum([hookwright], "hookwright_errors_total")).toMatchObject({
    'level="error",code="secret_unreadable"': 0,
  });
});

it.skipIf(spawnSync("promtool", ["--version"]).status !== 0)(
  "promtool finds no mistakes in the metrics",
  async () => {
    await using receiver = await openReceiver();
    await using hookwright = await open();
    await addShop(hookwright, "acc_1", `${receiver.origin}/hook`);
    await publish(hookwright, "acc_1", "ada@example.com");
    await receiver.next();
    const scrape = async () => (await hookwright.fetch(new Request("http://localhost/metrics"))).text();
    // It has no value before its first measurement.
    await expect.poll(scrape).toMatch(/^nodejs_eventloop_lag/mu);
    const input = await scrape();
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
      input,
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  },
);
