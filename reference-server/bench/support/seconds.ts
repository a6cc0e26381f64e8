import type { Load, MeasuredServer } from "./measured-server.ts";
import type { DiskWatch } from "./open-disk-watch.ts";
import { quantileRatio } from "./quantile-ratio.ts";
import type { QuantileRatio } from "./quantile-ratio.ts";
import { quantile } from "./table.ts";

/** What was measured in one second of a run. */
export interface Second {
  /** Milliseconds from publish to receipt. */
  readonly latencies: readonly number[];
  /** Another program waited for the disk as well. */
  readonly diskStalled: boolean;
}

/** A flush of a few bytes by another program that takes so long: the disk stood still, for whoever used it. */
const stalledFlushMs = 20;

export async function measureSecond(server: MeasuredServer, load: Load, disk: DiskWatch): Promise<Second> {
  await disk.longestFlushMs();
  const latencies = await server.publishFor(1_000, load);
  return { latencies, diskStalled: (await disk.longestFlushMs()) >= stalledFlushMs };
}

/** The 99th percentiles of two runs, second by second beside each other. */
export interface ComparedSeconds {
  readonly one: number;
  readonly other: number;
  readonly ratio: QuantileRatio;
}

/**
 * Of all seconds, and without those in which the disk stood still in one of the runs: whole seconds of waiting for the disk decide a
 * 99th percentile alone.
 */
export function compareSeconds(
  one: readonly Second[],
  other: readonly Second[],
): { readonly all: ComparedSeconds; readonly undisturbed: ComparedSeconds } {
  const pairs = one.flatMap((second, index) => {
    const beside = other[index];
    return beside === undefined ? [] : [{ one: second, other: beside }];
  });
  return {
    all: compare(pairs),
    undisturbed: compare(pairs.filter((pair) => !pair.one.diskStalled && !pair.other.diskStalled)),
  };
}

function compare(seconds: readonly { readonly one: Second; readonly other: Second }[]): ComparedSeconds {
  const pairs = seconds.map(({ one, other }) => ({ one: one.latencies, other: other.latencies }));
  const p99Of = (side: "one" | "other"): number =>
    quantile(
      pairs.flatMap((pair) => pair[side]),
      0.99,
    );
  return { one: p99Of("one"), other: p99Of("other"), ratio: quantileRatio(pairs, 0.99) };
}

/** `in 2 of 48 s`. */
export function describeStalls(seconds: readonly Second[]): string {
  return `in ${seconds.filter(({ diskStalled }) => diskStalled).length} of ${seconds.length} s`;
}
