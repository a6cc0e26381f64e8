// Measures commits per second on unstorage drivers. Run with: node packages/storage/bench/unstorage.ts
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createStorage, type Driver } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import fsLiteDriver from "unstorage/drivers/fs-lite";
import httpDriver from "unstorage/drivers/http";
import memoryDriver from "unstorage/drivers/memory";
import { createStorageServer } from "unstorage/server";
import type { Commit, Store } from "../src/port.ts";
import { openUnstorageStore } from "../src/unstorage.ts";

const partition = "p07";
const body = "x".repeat(1_000);
const secondsEach = 3;

/** Similar to the recording of one delivery: about ten mutations, one of 1 KiB. */
function deliveryCommit(index: number): Commit {
  const id = `dlv_0190f3a2b3c4${String(index).padStart(12, "0")}`;
  const old = `dlv_0190f3a2b3c4${String(index - 1_000).padStart(12, "0")}`;
  return {
    mutations: [
      { type: "set", key: [partition, "delivery", "acc_1", id], value: body },
      { type: "delete", key: [partition, "delivery", "acc_1", old] },
      ...["log", "health", "retry", "of-record", "lease", "a", "b", "c"].map((name) => ({
        type: "set" as const,
        key: [partition, name, index % 1_000] as const,
        value: String(index),
      })),
    ],
  };
}

async function bench(name: string, driver: Driver): Promise<void> {
  for (const concurrency of [1, 64, 512]) {
    const storage = createStorage({ driver });
    let faults = 0;
    const store: Store = await openUnstorageStore({ storage, onError: () => faults++ });
    let done = 0;
    const start = performance.now();
    const commitInLoop = async () => {
      while (performance.now() - start < secondsEach * 1_000)
        await store.commit(partition, deliveryCommit(done++));
    };
    await Promise.all(Array.from({ length: concurrency }, commitInLoop));
    const perSecond = (done / (performance.now() - start)) * 1_000;
    await store.close();
    const openStart = performance.now();
    await (await openUnstorageStore({ storage })).close();
    const openMs = performance.now() - openStart;
    console.log(
      `  ${name.padEnd(8)} ${String(concurrency).padStart(4)} at once ${perSecond.toFixed(0).padStart(8)} commits/s,` +
        ` opened again in ${openMs.toFixed(0)} ms, ${faults} faults`,
    );
  }
}

const root = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
const remote = createServer(createStorageServer(createStorage()).handle);
await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
const address = remote.address();
const url = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
await bench("memory", memoryDriver());
await bench("fs", fsDriver({ base: join(root, "fs") }));
await bench("fs-lite", fsLiteDriver({ base: join(root, "fs-lite") }));
await bench("http", httpDriver({ base: url }));
remote.closeAllConnections();
remote.close();
await rm(root, { recursive: true });
