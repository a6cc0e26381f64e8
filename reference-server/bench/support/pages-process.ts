import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { findLastPage, measurePages, openOrders } from "./pages.ts";

/**
 * Accounts with this many orders each, on one storage. It reports when they are ready. Each message of the parent asks
 * for one round of results per account.
 */
const [kind = "", ...counts] = process.argv.slice(2);
const directories: string[] = [];

/** Also removed if filling fails. */
process.on("exit", () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});
process.on("disconnect", () => process.exit());

async function openStore(): Promise<Store> {
  if (kind === "memory") return memoryStore();
  const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  directories.push(directory);
  return openFilesystemStore({ directory });
}

async function openAccount(orders: number) {
  const store = await openStore();
  const hookwright = await openOrders(store, orders, (published) => {
    if (published % 100_000 === 0)
      process.stderr.write(`${kind}: ${published.toLocaleString("en")} orders …\n`);
  });
  return { store, hookwright, lastPage: await findLastPage(hookwright) };
}

const accounts: Awaited<ReturnType<typeof openAccount>>[] = [];
for (const count of counts) accounts.push(await openAccount(Number(count)));
process.on("message", async () => process.send?.(await measurePages(accounts)));
process.send?.("ready");
