import { expect, it, vi } from "vitest";
import type { Key } from "../src/port.ts";
import type { EncodedArguments } from "../src/redis/argument-writer.ts";
import { createRowReads } from "../src/redis/row-reads.ts";
import { createWriterPool } from "../src/redis/writer-pool.ts";

/** Reads from a server that answers what it is told to, and a pool whose writers are written anew at once. */
function openReads(answer: (command: string, fields: readonly string[]) => unknown) {
  const pool = createWriterPool();
  const giveBack = pool.giveBack.bind(pool);
  vi.spyOn(pool, "giveBack").mockImplementation((writer) => {
    giveBack(writer);
    writer.text("written anew");
    writer.clear();
  });
  let planned: (() => void)[] = [];
  const read = async (command: string, _values: readonly string[], rest?: EncodedArguments) =>
    answer(
      command,
      rest
        ?.behind("")
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
  const reads = createRowReads({ link, writers: pool, keysOf, now: () => 0 });
  const flush = (): void => {
    const prepared = planned;
    planned = [];
    for (const prepare of prepared) prepare();
  };
  return { reads, flush, pool };
}

const entry: Key = ["p05", "log", "one"];

it("what may be empty is asked for once more with the same fields", async () => {
  const asked: (readonly string[])[] = [];
  const { reads, flush, pool } = openReads((command, fields) => {
    asked.push(fields);
    return command === "hmget" ? [null, ""] : ["", ""];
  });
  const found = reads.get(entry);
  flush();
  expect(await found).toBe("");
  expect(asked).toHaveLength(2);
  expect(asked[1]).toEqual(asked[0]);
  expect(pool.giveBack).toHaveBeenCalledOnce();
});

it("a read without an answer keeps what it is made of", async () => {
  const { reads, flush, pool } = openReads(() => {
    throw new Error("no answer");
  });
  const found = reads.get(entry);
  flush();
  await expect(found).rejects.toThrow("no answer");
  expect(pool.giveBack).not.toHaveBeenCalled();
});

it("keys that are refused are as if they had not been asked for, and so are those beside them", async () => {
  const asked: (readonly string[])[] = [];
  const { reads, flush, pool } = openReads((_command, fields) => {
    asked.push(fields);
    return fields.map((_, index) => String(index));
  });
  await expect(reads.getMany([entry, ["p05", "list", 1], ["p05", 0.5]])).rejects.toMatchObject({
    code: "invalid_key",
  });
  flush();
  await vi.waitFor(() => expect(pool.giveBack).toHaveBeenCalledOnce());
  expect(asked).toEqual([]);
  const before = reads.get(["p05", "row", "a"]);
  await expect(reads.getMany([entry, ["p05", 0.5]])).rejects.toMatchObject({ code: "invalid_key" });
  const after = [reads.get(entry), reads.get(entry), reads.get(["p05", "row", "a"])];
  flush();
  expect(await before).toBe("0");
  // Behind each key the mark of its kind.
  expect(await Promise.all(after)).toEqual(["2", "2", "0"]);
  expect(asked[0]).toHaveLength(8);
});

it("thousands that wait for an answer hold little each", async () => {
  const { reads, flush } = openReads(() => new Promise(() => {}));
  const before = process.memoryUsage().arrayBuffers;
  for (let turn = 0; turn < 1_000; turn++) {
    void reads.get(["p05", "row", turn]);
    flush();
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000);
});
