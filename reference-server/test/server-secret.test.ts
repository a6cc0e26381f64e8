import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readServerSecret } from "../src/server-secret.ts";

let directory: string;
const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "hookwright-secret-"));
  vi.resetAllMocks();
});
afterEach(() => rm(directory, { recursive: true }));

function read(given?: string): Promise<string> {
  return readServerSecret({ storage: { type: "file", directory: join(directory, "data") }, given, logger });
}

const path = (): string => join(directory, "data", "secret");

describe("the server's secret", () => {
  it("is made at the first start, and is the same at the second", async () => {
    const first = await read();
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(await read()).toBe(first);
    expect((await readFile(path(), "utf8")).trim()).toBe(first);
  });

  it("is a file that its owner alone can read", async () => {
    await read();
    expect((await stat(path())).mode & 0o777).toBe(0o600);
  });

  it("is one and the same for servers that start together", async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => read()));
    expect(new Set(secrets).size).toBe(1);
    expect(await readdir(join(directory, "data"))).toEqual(["secret"]);
  });

  it("becomes private again when others could read it, with a warning", async () => {
    const first = await read();
    await chmod(path(), 0o644);
    expect(await read()).toBe(first);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(logger.warn).toHaveBeenCalledOnce();
  });

  it("that is given wins and is not written down; a kept one that differs is warned of", async () => {
    const given = "g".repeat(40);
    expect(await read(given)).toBe(given);
    await expect(stat(path())).rejects.toThrow("ENOENT");
    await read();
    expect(await read(given)).toBe(given);
    expect(logger.warn).toHaveBeenCalledOnce();
    expect(JSON.stringify(logger.warn.mock.calls)).not.toContain(given);
  });

  it("that was cut short is refused, never replaced", async () => {
    await read();
    await writeFile(path(), "short");
    await expect(read()).rejects.toMatchObject({
      code: "storage_unavailable",
      message: expect.stringContaining(path()),
    });
    expect(await readFile(path(), "utf8")).toBe("short");
  });

  it("of a store in memory is another one at each start", async () => {
    const storage = { type: "memory" } as const;
    const first = await readServerSecret({ storage, given: undefined, logger });
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(await readServerSecret({ storage, given: undefined, logger })).not.toBe(first);
    expect(await readServerSecret({ storage, given: "g".repeat(32), logger })).toBe("g".repeat(32));
  });
});
