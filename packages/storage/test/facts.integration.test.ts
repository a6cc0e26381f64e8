import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openRedisStore } from "@hookwright/storage/redis";
import { expect, it } from "vitest";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";

it("a directory has the space of its disk", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "hookwright-space-"));
  {
    await using store = await openFilesystemStore({ directory });
    const { freeBytes = 0, totalBytes = 0 } = (await store.readSpace?.()) ?? {};
    expect(freeBytes).toBeGreaterThan(0);
    expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
    expect(await store.readFacts?.()).toMatchObject({ safe: "each commit is flushed to the disk (fsync)" });
  }
  await rm(directory, { recursive: true });
});

it.skipIf(!hasRedisServer)("Redis has the space up to maxmemory, and none without this limit", async () => {
  await using server = await startRedisServer();
  await using store = await openRedisStore({ url: server.url, onWarning() {} });
  expect(await store.readSpace?.()).toBeUndefined();
  server.run("config", "set", "maxmemory", "100mb");
  expect(await store.readSpace?.()).toEqual({
    freeBytes: expect.any(Number),
    totalBytes: 100 * 2 ** 20,
  });
  const { freeBytes = 0 } = (await store.readSpace?.()) ?? {};
  expect(freeBytes).toBeGreaterThan(80 * 2 ** 20);
  expect(freeBytes).toBeLessThan(100 * 2 ** 20);
});

it.skipIf(!hasRedisServer)(
  "Redis tells its version and what may lose data, also if it refuses INFO",
  async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url, onWarning() {} });
    expect(await store.readFacts?.()).toMatchObject({
      version: expect.stringMatching(/^(?:Redis|Valkey) \d/u),
      tooOld: undefined,
      unsafe: [{ fix: expect.stringContaining("appendfsync always") }],
      clockAheadMs: expect.any(Number),
    });
    server.run("acl", "setuser", "default", "-info", "-config");
    expect(await store.readFacts?.()).toMatchObject({
      version: "Redis (it does not tell its version)",
      unsafe: [],
      safe: expect.stringMatching(/^appendonly not readable .+ maxmemory-policy not readable/u),
    });
  },
);
