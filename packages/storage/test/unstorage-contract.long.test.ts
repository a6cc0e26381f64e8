import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStorage } from "unstorage";
import fsLiteDriver from "unstorage/drivers/fs-lite";
import httpDriver from "unstorage/drivers/http";
import { createStorageServer } from "unstorage/server";
import { afterAll } from "vitest";
import { runContractOver } from "./support/run-contract-over.ts";

const root = await mkdtemp(join(tmpdir(), "hookwright-unstorage-"));
const remote = createServer(createStorageServer(createStorage()).handle);
remote.listen(0, "127.0.0.1");
await once(remote, "listening");
const address = remote.address();
const remoteUrl = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";

afterAll(async () => {
  remote.closeAllConnections();
  remote.close();
  await rm(root, { recursive: true });
});

runContractOver(
  {
    "fs-lite": (name) => fsLiteDriver({ base: join(root, name) }),
    http: (name) => httpDriver({ base: `${remoteUrl}/${name}` }),
  },
  30,
);
