import { afterEach, expect, it, vi } from "vitest";
import { StorageError } from "@hookwright/storage";
import { createCommitGroups } from "../src/redis/commit-groups.ts";
import { createWriterPool } from "../src/redis/writer-pool.ts";

/** A commit of about 10 KiB. */
const large = {
  mutations: [{ type: "set" as const, key: ["p00", "x"] as const, value: "x".repeat(10_000) }],
};

function openGroups({ maxBytesInFlight = 96 * 1024 } = {}) {
  const calls: {
    readonly partition: string;
    readonly bytes: number;
    readonly end: (error?: Error) => void;
  }[] = [];
  let planned: (() => void)[] = [];
  const pool = createWriterPool();
  const givenBack = vi.spyOn(pool, "release");
  const groups = createCommitGroups({
    writers: pool,
    maxBytesInFlight,
    apply: (partition, commits) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => (error === undefined ? resolve([]) : reject(error));
        calls.push({ partition, bytes: commits.byteLength, end });
      }),
    beforeFlush: (send) => planned.push(send),
    onNotify: () => {},
    toStoppedError: (reason) => new StorageError("unavailable", reason),
  });
  /** What the link does at the end of each iteration of the event loop. */
  const flush = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    const sends = planned;
    planned = [];
    for (const send of sends) send();
  };
  const commitLarge = (partition: string, count: number) =>
    Array.from({ length: count }, () =>
      groups.commit(partition, {
        mutations: large.mutations.map((one) => ({ ...one, key: [partition, "x"] })),
      }),
    );
  return { groups, calls, flush, commitLarge, givenBack };
}

afterEach(() => vi.restoreAllMocks());

it("the bytes in flight are limited, and waiting commits follow the replies in order", async () => {
  const { groups, calls, flush, commitLarge } = openGroups();
  const committed = [...commitLarge("p00", 30), ...commitLarge("p01", 30)];
  await flush();
  const bytesUnderWay = () => calls.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(bytesUnderWay()).toBeGreaterThan(96 * 1024);
  expect(bytesUnderWay()).toBeLessThan(96 * 1024 + 75_000);
  for (let next = 0; next < calls.length; next++) {
    calls[next]?.end();
    await flush();
  }
  expect(await Promise.all(committed)).toEqual(committed.map(() => ({ ok: true })));
  expect(calls.map(({ partition }) => partition)).toEqual(calls.map(({ partition }) => partition).toSorted());
  await groups.settled();
});

it("the memory of a call is reused only after a reply", async () => {
  const { calls, flush, commitLarge, givenBack } = openGroups();
  const committed = commitLarge("p00", 1);
  await flush();
  expect(givenBack).not.toHaveBeenCalled();
  calls.at(-1)?.end();
  await Promise.all(committed);
  expect(givenBack).toHaveBeenCalledOnce();
  const failed = commitLarge("p00", 1);
  await flush();
  calls.at(-1)?.end(new Error("no answer"));
  await Promise.allSettled(failed);
  expect(givenBack).toHaveBeenCalledOnce();
});

it("without a limit no commit waits for another node", async () => {
  const { calls, flush, commitLarge } = openGroups({ maxBytesInFlight: Number.POSITIVE_INFINITY });
  const committed = [...commitLarge("p00", 30), ...commitLarge("p01", 1)];
  await flush();
  calls.at(-1)?.end();
  expect(await committed.at(-1)).toEqual({ ok: true });
});

it("close sends the collected commits first", async () => {
  const { groups, calls, flush, commitLarge } = openGroups();
  const committed = commitLarge("p00", 30);
  let isSettled = false;
  void groups.settled().then(() => (isSettled = true));
  for (let next = 0; next === 0 || next < calls.length; next++) {
    await flush();
    expect(isSettled).toBe(false);
    calls[next]?.end();
    await flush();
  }
  await Promise.all(committed);
  await expect.poll(() => isSettled).toBe(true);
});

it("an invalid commit does not prevent closing", async () => {
  const { groups, calls, flush, givenBack } = openGroups();
  const refused = groups.commit("p00", { mutations: [{ type: "delete", key: ["p01", "elsewhere"] }] });
  await expect(refused).rejects.toMatchObject({ code: "wrong_partition" });
  const settled = groups.settled();
  await flush();
  await settled;
  expect(calls).toEqual([]);
  expect(givenBack).toHaveBeenCalledOnce();
});

it("when a call fails, commits that have waited for a second fail too and others are sent", async () => {
  const { calls, flush, commitLarge } = openGroups();
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => time);
  const first = Promise.allSettled(commitLarge("p00", 16));
  await flush();
  const underWay = calls.length;
  time = 2_500;
  const second = Promise.allSettled(commitLarge("p01", 1));
  time = 3_000;
  const away = new Error("Redis gave no answer");
  for (const { end } of calls.slice(0, underWay)) end(away);
  await flush();
  const results = await first;
  expect(results.every((result) => result.status === "rejected" && result.reason === away)).toBe(true);
  expect(calls.slice(underWay).map(({ partition }) => partition)).toEqual(["p01"]);
  calls.at(-1)?.end();
  expect(await second).toEqual([{ status: "fulfilled", value: { ok: true } }]);
  // Later commits do not join the failed group.
  const third = Promise.all(commitLarge("p00", 1));
  await flush();
  expect(calls.at(-1)?.partition).toBe("p00");
  calls.at(-1)?.end();
  expect(await third).toEqual([{ ok: true }]);
});
