import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Store } from "@hookwright/storage";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { openStoreProcess } from "./support/store-process.ts";
import { contentsAfter, contentsOf, lastNumber, numberedCommit } from "./support/numbered-commits.ts";

const rounds = 12;

it("after kill -9 all acknowledged commits are on the disk, and no half commit", async () => {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-kill-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  let last = 0;
  for (let round = 0; round < rounds; round++) {
    const other = await openStoreProcess("unstorage", directory, { heartbeatMs: 60_000 });
    let acknowledged = last;
    let next = last + 1;
    const commitInLoop = async (): Promise<void> => {
      for (;;) {
        const number = next++;
        await other.commit("p07", numberedCommit(number));
        acknowledged = Math.max(acknowledged, number);
      }
    };
    const loops = Array.from({ length: 4 }, commitInLoop);
    // At different points of its commits and checkpoints.
    const until = last + 20 + round * 17;
    while (acknowledged < until) await other.get(["p07", "last"]);
    await other.kill9();
    await Promise.allSettled(loops);
    await using store: Store = await openUnstorageStore({
      storage: createStorage({ driver: fsDriver({ base: directory }) }),
      snapshotSize: 2_000,
    });
    last = await lastNumber(store);
    expect(last).toBeGreaterThanOrEqual(acknowledged);
    expect(last).toBeLessThan(next);
    const all = Array.from({ length: last }, (_, index) => index + 1);
    expect(await contentsOf(store)).toEqual(await contentsAfter(all));
  }
  expect(last).toBeGreaterThan(500);
}, 60_000);
