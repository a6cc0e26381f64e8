import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";

/** An empty storage. */
export interface OpenedStorage {
  /** Opens a store for a process: its own, or one for all. */
  openStore(): Promise<Store>;
  close(): Promise<void>;
}

/** @param now the clock that decides what has expired */
export type OpenStorage = (now: () => number) => Promise<OpenedStorage>;

export const inMemory: OpenStorage = async (now) => {
  const store = memoryStore({ now });
  return { openStore: async () => store, close: () => store.close() };
};

/** Every process opens the directory itself. */
export const inDirectory: OpenStorage = async (now) => {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-simulation-"));
  const { openStore, close } = eachItsOwn(() => openFilesystemStore({ directory, now }));
  return {
    openStore,
    async close() {
      await close();
      await rm(directory, { recursive: true });
    },
  };
};

/** Every process has its own connections. */
export function onRedis(url: string): OpenStorage {
  return async (now) => {
    const prefix = `simulation-${crypto.randomUUID()}`;
    return eachItsOwn(() => openRedisStore({ url, now, prefix }));
  };
}

/** Every process has its own pool. */
export function onPostgres(url: string): OpenStorage {
  return async (now) => {
    const schema = `run_${crypto.randomUUID().replaceAll("-", "")}`;
    return eachItsOwn(() => openPostgresStore({ url, now, schema }));
  };
}

function eachItsOwn(open: () => Promise<Store>): OpenedStorage {
  const opened: Store[] = [];
  return {
    async openStore() {
      const store = await open();
      opened.push(store);
      return store;
    },
    async close() {
      for (const store of opened) await store.close();
    },
  };
}
