import { randomUUID } from "node:crypto";
import type { Key, StorageFacts, StorageSpace, Store } from "@hookwright/storage";
import { failed, ok, skipped } from "./check.ts";
import type { CheckFinding } from "./check.ts";

const rounds = 20;
/** Deliveries wait for commits. */
const slowMs = 100;
const mebibyte = 2 ** 20;
const leastFreeMiB = 512;
const greatestClockDifferenceMs = 2_000;
const scratchLifetimeMs = 60_000;

/** Writes and reads a row that belongs to no account, and removes it. */
export async function checkLatency(store: Store, name: string): Promise<CheckFinding> {
  const key: Key = ["p00", "readiness", `doctor ${randomUUID()}`];
  const reads: number[] = [];
  const writes: number[] = [];
  const timed = async <Result>(times: number[], action: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await action();
    times.push(performance.now() - startedAt);
    return result;
  };
  try {
    for (let round = 0; round < rounds; round++) {
      const value = String(round);
      await timed(writes, () =>
        store.commit("p00", {
          mutations: [{ type: "set", key, value, expiresInMs: scratchLifetimeMs }],
        }),
      );
      if ((await timed(reads, () => store.get(key))) !== value)
        return failed(
          `${name} does not return what was written`,
          "Check whether a proxy or a replica answers.",
        );
    }
  } finally {
    await store.commit("p00", { mutations: [{ type: "delete", key }] });
  }
  const message = `${name}: reads take ${describeTimes(reads)}, writes ${describeTimes(writes)}`;
  return median(writes) > slowMs
    ? failed(
        message,
        `A write should take less than ${slowMs} ms. Check the disk and the network of the storage.`,
      )
    : ok(message);
}

function describeTimes(times: readonly number[]): string {
  return `${median(times).toFixed(1)} ms (at most ${Math.max(...times).toFixed(1)} ms)`;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

/** @param facts undefined: the storage tells nothing */
export function judgeDurability(facts: StorageFacts | undefined): CheckFinding {
  if (facts === undefined) return skipped("the storage does not tell how durable it is");
  const { unsafe, safe } = facts;
  if (unsafe.length === 0) return ok(safe);
  return failed(unsafe.map(({ setting }) => setting).join("; "), unsafe.map(({ fix }) => fix).join(" "));
}

/** @param space undefined: the storage has no limit, or does not say */
export function judgeSpace(
  space: Pick<StorageSpace, "freeBytes"> | undefined,
  store: Pick<Store, "name" | "readSpace">,
): CheckFinding {
  if (space === undefined) {
    return skipped(
      store.name === "redis" && store.readSpace !== undefined
        ? "Redis has no memory limit (maxmemory), so the free memory is that of its machine"
        : "the storage does not tell how much space is left",
    );
  }
  const freeMiB = Math.floor(space.freeBytes / mebibyte);
  const message = `${freeMiB} MiB are free`;
  if (freeMiB >= leastFreeMiB) return ok(message);
  const fix =
    store.name === "redis"
      ? "Raise maxmemory, or shorten the retention."
      : "Free some space, or enlarge the disk.";
  return failed(message, `At least ${leastFreeMiB} MiB should be free. ${fix}`);
}

export function judgeVersions(facts: StorageFacts | undefined, nodeVersion: string): CheckFinding {
  const versions = [`Node ${nodeVersion}`, ...(facts?.version === undefined ? [] : [facts.version])].join(
    ", ",
  );
  // The program refuses an old Node at its start.
  return facts?.tooOld === undefined ? ok(versions) : failed(versions, `Use ${facts.tooOld}.`);
}

/** @param ofPublicUrl how far the clock behind the public URL is ahead, or why it is not known. Undefined: there is no URL */
export function judgeClock(
  facts: StorageFacts | undefined,
  ofPublicUrl: number | string | undefined,
): CheckFinding {
  const clocks = [
    { name: "the storage", aheadMs: facts?.clockAheadMs, limitMs: greatestClockDifferenceMs },
    // A `Date` header has whole seconds.
    { name: "the public URL", aheadMs: ofPublicUrl, limitMs: greatestClockDifferenceMs + 1_000 },
  ];
  const known = clocks.flatMap(({ name, aheadMs, limitMs }) =>
    typeof aheadMs === "number" ? [{ name, aheadMs, limitMs }] : [],
  );
  const unknown =
    typeof ofPublicUrl === "string" ? [`that of the public URL is not known (${ofPublicUrl})`] : [];
  if (known.length === 0) return skipped(["there is no other clock to compare with", ...unknown].join("; "));
  const message = [...known.map(describeClock), ...unknown].join("; ");
  return known.every(({ aheadMs, limitMs }) => Math.abs(aheadMs) <= limitMs)
    ? ok(message)
    : failed(message, "Synchronise the clocks of all machines with NTP.");
}

function describeClock({ name, aheadMs }: { readonly name: string; readonly aheadMs: number }): string {
  return `the clock of ${name} is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine`;
}
