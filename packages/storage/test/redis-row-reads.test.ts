import { expect, it, vi } from "vitest";
import type { Key } from "../src/port.ts";
import type { EncodedArguments } from "../src/redis/argument-writer.ts";
import { createRowReads } from "../src/redis/row-reads.ts";
import { createWriterPool } from "../src/redis/writer-pool.ts";

/** Reads with scripted replies and a pool that overwrites returned writers at once. */
function openReads(answer: (command: string, fields: readonly string[]) => unknown) {
  const pool = createWriterPool();
  const release = pool.release.bind(pool);
  vi.spyOn(pool, "release").mockImplementation((writer) => {
    release(writer);
    writer.text("overwritten");
    writer.clear();
  });
  let planned: (() => void)[] = [];
  const read = async (command: string, _values: readonly string[], rest?: EncodedArguments) =>
    answer(
      command,
      rest
        ?.withHead("")
        .toString()
        .match(/[^\r\n$]+/gu) ?? [],
    );
  const link = {
    read,
    send: read,
    beforeFlush: (prepare: () => void) => void planned.push(prepare),
    settled: async () => {},
    close: () => {},
  };
  const keysOf = () => ({ rows: "rows", index: "index", expiries: "expiries" });
  const reads = createRowReads({ link, writers: pool, keysOf, now: () => "" });
  const flush = (): void => {
    const prepared = planned;
    planned = [];
    for (const prepare of prepared) prepare();
  };
  return { reads, flush, pool };
}

const entry: Key = ["p05", "log", "one"];

it("rows that may be empty are read again with the same fields", async () => {
  const requests: (readonly string[])[] = [];
  const { reads, flush, pool } = openReads((command, fields) => {
    requests.push(fields);
    return command === "hmget" ? [null, ""] : ["", ""];
  });
  const found = reads.get(entry);
  flush();
  expect(await found).toBe("");
  expect(requests).toHaveLength(2);
  expect(requests[1]).toEqual(requests[0]);
  expect(pool.release).toHaveBeenCalledOnce();
});

it("a read without a reply keeps its writer", async () => {
  const { reads, flush, pool } = openReads(() => {
    throw new Error("no answer");
  });
  const found = reads.get(entry);
  flush();
  await expect(found).rejects.toThrow("no answer");
  expect(pool.release).not.toHaveBeenCalled();
});

it("a read with an invalid key requests none of its keys", async () => {
  const requests: (readonly string[])[] = [];
  const { reads, flush, pool } = openReads((_command, fields) => {
    requests.push(fields);
    return fields.map((_, index) => String(index));
  });
  await expect(reads.getMany([entry, ["p05", "list", 1], ["p05", 0.5]])).rejects.toMatchObject({
    code: "invalid_key",
  });
  flush();
  await vi.waitFor(() => expect(pool.release).toHaveBeenCalledOnce());
  expect(requests).toEqual([]);
  const before = reads.get(["p05", "row", "a"]);
  await expect(reads.getMany([entry, ["p05", 0.5]])).rejects.toMatchObject({ code: "invalid_key" });
  const after = [reads.get(entry), reads.get(entry), reads.get(["p05", "row", "a"])];
  flush();
  expect(await before).toBe("0");
  // Each key is followed by the mark of its kind.
  expect(await Promise.all(after)).toEqual(["2", "2", "0"]);
  expect(requests[0]).toHaveLength(8);
});

it("thousands of waiting reads use little memory each", async () => {
  const { reads, flush } = openReads(() => new Promise(() => {}));
  const before = process.memoryUsage().arrayBuffers;
  for (let turn = 0; turn < 1_000; turn++) {
    void reads.get(["p05", "row", turn]);
    flush();
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000);
});
