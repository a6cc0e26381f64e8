// Measures the cost of single operations. Run with: node packages/storage/bench/commit.ts [memory|filesystem|postgres]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { startPostgresServer } from "../test/support/postgres-server.ts";
import { openFilesystemStore } from "../src/filesystem.ts";
import { memoryStore } from "../src/memory.ts";
import type { Commit, Key, Store } from "../src/port.ts";
import { openPostgresStore } from "../src/postgres.ts";

const partition = "p07";
const account = "acc_0190f3a2b3c47d8e9f00112233445566";
const webhook = "wh_0190f3a2b3c47d8e9f0011223344aaaa";
const body = "x".repeat(1_000);

const rowKey = (index: number): Key => [
  partition,
  "delivery",
  account,
  `dlv_0190f3a2b3c4${String(index).padStart(12, "0")}`,
];

/**
 * Similar to the recording of one delivery: ten mutations, two of 1 KiB, half of them of short-lived rows.
 */
function deliveryCommit(index: number): Commit {
  const id = `dlv_0190f3a2b3c4${String(index).padStart(12, "0")}`;
  const old = `dlv_0190f3a2b3c4${String(index >> 1).padStart(12, "0")}`;
  return {
    mutations: [
      { type: "set", key: [partition, "fresh", account, "order.created", webhook, id], value: body },
      { type: "set", key: rowKey(index), value: body },
      {
        type: "set",
        key: [partition, "log", account, "order.created", webhook, "site_1", "delivered", "event", id],
        value: "",
      },
      { type: "set", key: [partition, "health", account, webhook], value: `{"last":${index}}` },
      {
        type: "set",
        key: [partition, "retry", account, "order.created", webhook, 1_800_000_000_000 + index, id],
        value: "",
      },
      { type: "set", key: [partition, "of-record", account, `ord_${index}`, id], value: "" },
      { type: "delete", key: [partition, "fresh", account, "order.created", webhook, old] },
      { type: "set", key: [partition, "lease"], value: "worker_1 17" },
      { type: "set", key: [partition, "a", account, index], value: "1" },
      { type: "set", key: [partition, "b", account, id], value: "{}" },
    ],
  };
}

function print(what: string, value: number, unit: string): void {
  console.log(`  ${what.padEnd(52)} ${value.toFixed(value < 10 ? 2 : 1).padStart(9)} ${unit}`);
}

async function timed(count: number, run: (index: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let index = 0; index < count; index++) await run(index);
  return ((performance.now() - start) * 1_000) / count;
}

function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  let state = 1;
  for (let index = count - 1; index > 0; index--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (index + 1);
    [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
  }
  return order;
}

/** CPU time of this thread in µs. On a Node without it, the busy time of the event loop. */
function mainThreadClock(): () => number {
  if (typeof process.threadCpuUsage === "function") {
    const start = process.threadCpuUsage();
    return () => {
      const { user, system } = process.threadCpuUsage(start);
      return user + system;
    };
  }
  const start = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(start).active * 1_000;
}

async function commitConcurrently(
  store: Store,
  concurrency: number,
  count: number,
  first: number,
): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) await store.commit(partition, deliveryCommit(first + next++));
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}

async function benchKeys(
  name: string,
  openStore: () => Promise<Store>,
  count: number,
  perCommit: number,
): Promise<void> {
  for (const [how, order] of [
    ["in order", Array.from({ length: count }, (_, index) => index)],
    ["in random order", shuffled(count)],
  ] as const) {
    const store = await openStore();
    const write = () =>
      timed(count / perCommit, (commit) =>
        store.commit(partition, {
          mutations: order
            .slice(commit * perCommit, (commit + 1) * perCommit)
            .map((index) => ({ type: "set", key: rowKey(index), value: "value" })),
        }),
      );
    print(`${name}: insert ${count} keys ${how}`, (await write()) / perCommit, "µs/key");
    print(`${name}: overwrite them`, (await write()) / perCommit, "µs/key");
    print(`${name}: get`, await timed(20_000, (index) => store.get(rowKey((index * 7_919) % count))), "µs");
    const prefix: Key = [partition, "delivery", account];
    const list = (limit: number) =>
      timed(2_000, (index) => store.list({ prefix, limit, after: rowKey((index * 7_919) % count) }));
    print(`${name}: list 1`, await list(1), "µs");
    print(`${name}: list 100`, await list(100), "µs");
    await store.close();
  }
}

async function benchCommits(
  name: string,
  openStore: () => Promise<Store>,
  concurrencies: readonly number[],
): Promise<void> {
  const store = await openStore();
  let first = 0;
  for (const concurrency of concurrencies) {
    const count = concurrency === 1 ? 2_000 : 40_000;
    await commitConcurrently(store, concurrency, Math.min(count, 5_000), first);
    first += 5_000;
    const cpu = mainThreadClock();
    const start = performance.now();
    await commitConcurrently(store, concurrency, count, first);
    const elapsed = performance.now() - start;
    first += count;
    print(`${name}: commit of 10, ${concurrency} at once, this thread`, cpu() / count, "µs/commit");
    print(
      `${name}: commit of 10, ${concurrency} at once, throughput`,
      (count / elapsed) * 1_000,
      "commits/s",
    );
  }
  await store.close();
}

const which = process.argv[2];
if (which === undefined || which === "memory") {
  console.log("memory");
  await benchKeys("memory", async () => memoryStore(), 1_000_000, 10);
  await benchCommits("memory", async () => memoryStore(), [1, 64]);
}
if (which === undefined || which === "filesystem") {
  console.log("filesystem");
  const root = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  let opened = 0;
  const openStore = () => openFilesystemStore({ directory: join(root, String(opened++)) });
  await benchKeys("filesystem", openStore, 100_000, 1_000);
  await benchCommits("filesystem", openStore, [1, 64, 512]);
  await rm(root, { recursive: true });
}
if (which === "postgres") {
  console.log("postgres, with fsync");
  await using server = await startPostgresServer(["-c", "fsync=on"]);
  let opened = 0;
  const openStore = () => openPostgresStore({ url: server.url, schema: `bench_${opened++}` });
  await benchKeys("postgres", openStore, 100_000, 1_000);
  await benchCommits("postgres", openStore, [1, 64, 512]);
}
