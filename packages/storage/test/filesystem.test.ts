import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { runStoreContract } from "@hookwright/storage/contract";
import { openFilesystemStore } from "@hookwright/storage/filesystem";

const root = await mkdtemp(join(tmpdir(), "hookwright-storage-"));
let opened = 0;

afterAll(() => rm(root, { recursive: true }));

await runStoreContract(({ now }) => openFilesystemStore({ directory: join(root, String(opened++)), now }));
