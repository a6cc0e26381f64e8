import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createStorage } from "unstorage";
import type { Key, Mutation, Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";

interface SweepOptions {
  readonly now: () => number;
  readonly sweepIntervalMs: number;
}

const adapters: Readonly<Record<string, (options: SweepOptions) => Store | Promise<Store>>> = {
  memory: memoryStore,
  async filesystem(options) {
    const directory = await mkdtemp(join(tmpdir(), "hookwright-sweep-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    return openFilesystemStore({ directory, ...options });
  },
  unstorage: (options) => openUnstorageStore({ storage: createStorage(), ...options }),
  async redis(options) {
    const server = await startRedisServer();
    onTestFinished(() => server[Symbol.asyncDispose]());
    return openRedisStore({ url: server.url, ...options });
  },
  async postgres(options) {
    const server = await startPostgresServer();
    onTestFinished(() => server[Symbol.asyncDispose]());
    return openPostgresStore({ url: server.url, ...options });
  },
};

const start = 1_800_000_000_000;
/** After this time all expired entries are checked, although adapters round the time up. */
const due = start + 3_600_000;
const later = due + 3_600_000;
const key = (...name: readonly (string | number)[]): Key => ["p05", ...name];
const set = (name: string, expiresAt?: number): Mutation => {
  return { type: "set", key: key(name), value: name, expiresAt };
};
const sum = (name: string, expiresAt: number): Mutation => {
  return { type: "sum", key: key(name), amount: 1, expiresAt };
};

describe.each(Object.entries(adapters))("a %s store", (name, open) => {
  it.skipIf((name === "redis" && !hasRedisServer) || (name === "postgres" && !hasPostgresServer))(
    "removes expired entries permanently and keeps entries that were set again",
    async () => {
      const clock = { now: start };
      await using store = await open({ now: () => clock.now, sweepIntervalMs: 1 });
      /**
       * Sets the clock back to before the expiry: swept entries are missing, entries that only expired are
       * not.
       */
      const left = async (): Promise<unknown[]> => {
        const { now } = clock;
        clock.now = start;
        const entries = await store.list({ prefix: ["p05"], limit: 10_000 });
        clock.now = now;
        return entries.map((entry) => entry.key.at(-1));
      };
      // More than one sweep checks.
      const many = Array.from({ length: 1_200 }, (_, index): Mutation => {
        return { type: "set", key: key("many", index), value: "", expiresAt: start + 1_000 };
      });
      const names = ["for good", "for longer", "deleted", "expired"];
      await store.commit("p05", { mutations: many });
      await store.commit("p05", {
        mutations: [...names.map((each) => set(each, start + 1_000)), sum("counter", start + 1_000)],
      });
      await store.commit("p05", {
        mutations: [
          set("for good"),
          set("for longer", later),
          sum("counter", later),
          { type: "delete", key: key("deleted") },
          set("never"),
        ],
      });
      expect(await left()).toHaveLength(1_205);

      clock.now = due;
      await expect.poll(left).toEqual(["counter", "for good", "for longer", "never"]);
      clock.now = later + 3_600_000;
      await expect.poll(left).toEqual(["for good", "never"]);
    },
  );
});
