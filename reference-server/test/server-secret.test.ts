import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { bindServerSecret } from "hookwright";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readServerSecrets } from "../src/server-secret.ts";
import { makeFolder } from "./support/make-folder.ts";

let directory: string;
let store: Store;
const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };

beforeEach(async () => {
  directory = await makeFolder();
  store = memoryStore();
  vi.resetAllMocks();
});

/** A data directory with an empty store, unless a test fills it. */
async function read(given?: string): Promise<string> {
  const storage = { type: "file", directory: join(directory, "data") } as const;
  const { secret } = await readServerSecrets({ storage, store, given, logger });
  return secret;
}

const path = (): string => join(directory, "data", "secret");

describe("the server's secret", () => {
  it("is created at the first start and the same at the second", async () => {
    const first = await read();
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(await read()).toBe(first);
    expect((await readFile(path(), "utf8")).trim()).toBe(first);
  });

  it("is in a file that only its owner can read", async () => {
    await read();
    expect((await stat(path())).mode & 0o777).toBe(0o600);
  });

  it("is the same for servers that start at the same time", async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => read()));
    expect(new Set(secrets).size).toBe(1);
    expect(await readdir(join(directory, "data"))).toEqual(["secret"]);
  });

  it("becomes private again if others could read it, with a warning", async () => {
    const first = await read();
    await chmod(path(), 0o644);
    expect(await read()).toBe(first);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(logger.warn).toHaveBeenCalledOnce();
  });

  it("from the variable overrides the file and is not stored", async () => {
    const given = "g".repeat(40);
    expect(await read(given)).toBe(given);
    await expect(stat(path())).rejects.toThrow("ENOENT");
  });

  it("from the variable is used if it is right, with a warning if the file has another one", async () => {
    const given = "g".repeat(40);
    await read();
    store = memoryStore();
    expect(await read(given)).toBe(given);
    expect(logger.warn.mock.calls).toEqual([
      [
        "the data directory holds another secret than HOOKWRIGHT_SECRET, and that secret is not used",
        { path: path(), component: "server", code: "secret_differs" },
      ],
    ]);
    // The file is not used, so it may be damaged.
    await writeFile(path(), "short");
    expect(await read(given)).toBe(given);
  });

  it("that another process creates during the start is used", async () => {
    const created = "c".repeat(40);
    const opened = store;
    store = {
      ...opened,
      // This process has found no file. The other process creates it and writes data with it.
      async get(key) {
        await mkdir(join(directory, "data"), { recursive: true });
        await writeFile(path(), created, { mode: 0o600 });
        await bindServerSecret({ store: opened, secret: created });
        return opened.get(key);
      },
    };
    expect(await read()).toBe(created);
  });

  it("that is truncated is refused and never replaced", async () => {
    await read();
    await writeFile(path(), "short");
    await expect(read()).rejects.toMatchObject({
      code: "storage_unavailable",
      message: expect.stringContaining(path()),
    });
    expect(await readFile(path(), "utf8")).toBe("short");
  });

  it("of the storage memory is different at each start", async () => {
    const readInMemory = async (given: string | undefined) =>
      (await readServerSecrets({ storage: { type: "memory" }, store: memoryStore(), given, logger })).secret;
    const first = await readInMemory(undefined);
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(await readInMemory(undefined)).not.toBe(first);
    expect(await readInMemory("g".repeat(32))).toBe("g".repeat(32));
  });
});
