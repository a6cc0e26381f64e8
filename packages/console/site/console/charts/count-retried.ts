import type { Overview } from "@hookwright/domain";
import { formatCount } from "./scales.ts";

type Counts = Pick<Overview["series"][number], "attempts" | "delivered" | "failed">;

/**
 * How many attempts failed without being the last one of their delivery: it is retried. Every delivery that was accepted
 * or failed had one last attempt.
 */
export function countRetried({ attempts, delivered, failed }: Counts): number {
  return Math.max(0, attempts - delivered - failed);
}

/** The sum over all buckets. */
export function sumRetried(series: readonly Counts[]): number {
  return series.reduce((sum, bucket) => sum + countRetried(bucket), 0);
}

/** @example describeRetried(1) // "1 attempt retried" */
export function describeRetried(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "attempt" : "attempts"} retried`;
}
