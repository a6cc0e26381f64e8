import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { createStorage, prefixStorage, type Driver, type Storage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import fsLiteDriver from "unstorage/drivers/fs-lite";
import httpDriver from "unstorage/drivers/http";
import memoryDriver from "unstorage/drivers/memory";
import { createStorageServer } from "unstorage/server";
import { runStoreContract } from "@hookwright/storage/contract";
import { openUnstorageStore } from "@hookwright/storage/unstorage";

const root = await mkdtemp(join(tmpdir(), "hookwright-unstorage-"));
const remote = createServer(createStorageServer(createStorage()).handle);
await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
const address = remote.address();
const remoteUrl = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
let opened = 0;

afterAll(async () => {
  remote.closeAllConnections();
  await new Promise((resolve) => remote.close(resolve));
  await rm(root, { recursive: true });
});

const drivers: Readonly<Record<string, (name: string) => Driver>> = {
  memory: () => memoryDriver(),
  fs: (name) => fsDriver({ base: join(root, name) }),
  "fs-lite": (name) => fsLiteDriver({ base: join(root, name) }),
  // Its lists have other names if the URL has a path.
  http: () => httpDriver({ base: remoteUrl }),
};

function openStorage(createDriver: (name: string) => Driver): Storage {
  const name = `store${opened++}`;
  return prefixStorage(createStorage({ driver: createDriver(name) }), name);
}

for (const [name, createDriver] of Object.entries(drivers)) {
  // Two drivers find the faults of the adapter, and the others only their own.
  const tags = ["memory", "fs"].includes(name) ? [] : ["long"];
  describe(`over the ${name} driver of unstorage`, { tags }, async () => {
    await runStoreContract(
      ({ now }) =>
        openUnstorageStore({
          storage: openStorage(createDriver),
          now,
          // Small enough for snapshots during the cases.
          snapshotSize: 40_000,
          onError: reportError,
        }),
      { modelRuns: name === "memory" ? 100 : 30 },
    );
  });
}

describe("within a prefix of a shared storage", async () => {
  const shared = createStorage();
  await runStoreContract(
    ({ now }) => openUnstorageStore({ storage: prefixStorage(shared, `part${opened++}`), now }),
    { modelRuns: 10 },
  );
});

function reportError(error: unknown): void {
  // A failed checkpoint must fail the test, because nothing else reports it.
  queueMicrotask(() => {
    throw error;
  });
}
