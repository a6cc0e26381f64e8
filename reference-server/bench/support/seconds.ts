import type { Load, MeasuredServer } from "./measured-server.ts";
import type { DiskWatch } from "./open-disk-watch.ts";
import { quantileRatio } from "./quantile-ratio.ts";
import type { QuantileRatio } from "./quantile-ratio.ts";
import { isMuchStolen, readStolenMs } from "./stolen-time.ts";
import { quantile } from "./table.ts";

/** What was measured in one second of a run. */
export interface Second {
  /** Milliseconds from publish to receipt. */
  readonly latencies: readonly number[];
  /** What the machine did to whoever ran on it. */
  readonly disturbedBy: ReadonlySet<Disturbance>;
}

/**
 * - `disk`: another program waited for it as well.
 * - `host`: the host of this virtual machine gave the processor to others.
 */
export type Disturbance = "disk" | "host";

/** A flush of a few bytes by another program that takes so long: the disk stood still, for whoever used it. */
const stalledFlushMs = 20;

/** @param disk the one that the server writes to, if it writes */
export async function measureSecond(server: MeasuredServer, load: Load, disk?: DiskWatch): Promise<Second> {
  await disk?.longestFlushMs();
  const before = await readStolenMs();
  const begun = performance.now();
  const latencies = await server.publishFor(1_000, load);
  const tookMs = performance.now() - begun;
  const disturbedBy = new Set<Disturbance>();
  if (isMuchStolen((await readStolenMs()) - before, tookMs)) disturbedBy.add("host");
  if (((await disk?.longestFlushMs()) ?? 0) >= stalledFlushMs) disturbedBy.add("disk");
  return { latencies, disturbedBy };
}

/** The 99th percentiles of two runs. */
export interface ComparedSeconds {
  readonly one: number;
  readonly other: number;
  readonly ratio: QuantileRatio;
}

/**
 * Of all seconds, and without those that were disturbed: a few seconds of waiting for the disk, or for a core that was gone, decide a 99th
 * percentile alone.
 */
export function compareSeconds(
  one: readonly Second[],
  other: readonly Second[],
): { readonly all: ComparedSeconds; readonly undisturbed: ComparedSeconds } {
  return {
    all: compare(one, other),
    undisturbed: compare(one.filter(isUndisturbed), other.filter(isUndisturbed)),
  };
}

function isUndisturbed({ disturbedBy }: Second): boolean {
  return disturbedBy.size === 0;
}

function compare(one: readonly Second[], other: readonly Second[]): ComparedSeconds {
  const ofOne = one.map(({ latencies }) => latencies);
  const ofOther = other.map(({ latencies }) => latencies);
  return {
    one: quantile(ofOne.flat(), 0.99),
    other: quantile(ofOther.flat(), 0.99),
    ratio: quantileRatio(ofOne, ofOther, 0.99),
  };
}

/** `disk 2, host 5 of 48 s`. */
export function describeDisturbances(seconds: readonly Second[]): string {
  const count = (by: Disturbance): number => seconds.filter(({ disturbedBy }) => disturbedBy.has(by)).length;
  return `disk ${count("disk")}, host ${count("host")} of ${seconds.length} s`;
}
