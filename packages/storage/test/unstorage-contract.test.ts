import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { createStorage, prefixStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import memoryDriver from "unstorage/drivers/memory";
import { runStoreContract } from "@hookwright/storage/contract";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { runContractOver } from "./support/run-contract-over.ts";

const root = await mkdtemp(join(tmpdir(), "hookwright-unstorage-"));
afterAll(() => rm(root, { recursive: true }));

runContractOver({ memory: () => memoryDriver() }, 100);
runContractOver({ fs: (name) => fsDriver({ base: join(root, name) }) }, 30);

describe("within a prefix of a shared storage", async () => {
  const shared = createStorage();
  let opened = 0;
  await runStoreContract(
    ({ now }) => openUnstorageStore({ storage: prefixStorage(shared, `part${opened++}`), now }),
    { modelRuns: 10 },
  );
});
