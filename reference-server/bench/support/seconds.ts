import type { Load, MeasuredServer } from "./measured-server.ts";
import type { DiskWatch } from "./open-disk-watch.ts";
import { quantileRatio } from "./quantile-ratio.ts";
import type { QuantileRatio } from "./quantile-ratio.ts";
import { readStolenMs, toStolenShare } from "./stolen-time.ts";

/** The results of about one second of a run. */
export interface Second {
  /** Milliseconds from publish to receipt. */
  readonly latencies: readonly number[];
  /** True if another program waited for the disk too. */
  readonly isDiskStalled: boolean;
  /** The share of CPU time that the host of this virtual machine gave to others. */
  readonly stolenShare: number;
}

/** A flush by another program that takes this long means that the disk stalled. */
const stalledFlushMs = 20;
/** More than 1 % of the CPU time. It affects deliveries at about the 99th percentile. */
const muchStolen = 0.01;

export interface SecondOptions {
  /** The disk that the server writes to, if any. */
  readonly disk?: DiskWatch;
  /** @default 1000 */
  readonly lastsMs?: number;
}

export async function measureSecond(
  server: MeasuredServer,
  load: Load,
  { disk, lastsMs = 1_000 }: SecondOptions = {},
): Promise<Second> {
  await disk?.longestFlushMs();
  const before = await readStolenMs();
  const begun = performance.now();
  const latencies = await server.publishFor(lastsMs, load);
  const tookMs = performance.now() - begun;
  const stolenShare = toStolenShare((await readStolenMs()) - before, tookMs);
  const isDiskStalled = ((await disk?.longestFlushMs()) ?? 0) >= stalledFlushMs;
  return { latencies, isDiskStalled, stolenShare };
}

/**
 * Compares the 99th percentiles of all seconds, and of the undisturbed seconds, because a few disturbed ones can
 * dominate. Seconds with little stolen time have the same weight on both sides.
 */
export function compareSeconds(
  one: readonly Second[],
  other: readonly Second[],
): { readonly all: QuantileRatio; readonly undisturbed: QuantileRatio } {
  const alike = (seconds: readonly Second[]) =>
    seconds.map(({ latencies }) => ({ figures: latencies, kind: 0 }));
  const byWhetherStolen = (seconds: readonly Second[]) =>
    seconds.filter(isUndisturbed).map(({ latencies, stolenShare }) => ({
      figures: latencies,
      kind: stolenShare > 0 ? 1 : 0,
    }));
  return {
    all: quantileRatio(alike(one), alike(other), 0.99),
    undisturbed: quantileRatio(byWhetherStolen(one), byWhetherStolen(other), 0.99),
  };
}

function isUndisturbed({ isDiskStalled, stolenShare }: Second): boolean {
  return !isDiskStalled && !isMuchStolen(stolenShare);
}

function isMuchStolen(share: number): boolean {
  return share > muchStolen;
}

/** `disk 2, host 5 of 48`. */
export function describeDisturbances(seconds: readonly Second[]): string {
  const byDisk = seconds.filter(({ isDiskStalled }) => isDiskStalled).length;
  const byHost = seconds.filter(({ stolenShare }) => isMuchStolen(stolenShare)).length;
  return `disk ${byDisk}, host ${byHost} of ${seconds.length}`;
}
