import type { Load, MeasuredServer } from "./measured-server.ts";
import type { DiskWatch } from "./open-disk-watch.ts";
import { quantileRatio } from "./quantile-ratio.ts";
import type { QuantileRatio } from "./quantile-ratio.ts";
import { readStolenMs, toStolenShare } from "./stolen-time.ts";

/** What was measured in one second of a run, or almost one. */
export interface Second {
  /** Milliseconds from publish to receipt. */
  readonly latencies: readonly number[];
  /** Another program waited for the disk as well. */
  readonly isDiskStalled: boolean;
  /** What the host of this virtual machine gave to others of the time of its processors. */
  readonly stolenShare: number;
}

/** A flush of a few bytes by another program that takes so long: the disk stood still, for whoever used it. */
const stalledFlushMs = 20;
/** More than a hundredth of the machine: a delivery that takes 2 ms meets that in about one case of a hundred, where the 99th percentile is. */
const muchStolen = 0.01;

export interface SecondOptions {
  /** The one that the server writes to, if it writes. */
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
 * The 99th percentiles of all seconds; and without those that were disturbed, of which a few decide a 99th percentile alone. What little is stolen in the others
 * has a part in it too: seconds with some of it weigh as much in one as in the other.
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
