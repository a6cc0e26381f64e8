import type { Overview } from "@hookwright/domain";

export interface Sums {
  readonly delivered: number;
  readonly failed: number;
}

/**
 * Sums the period before that of `overview`.
 *
 * @param longer the overview of a longer period, which contains the period before. Its last bucket before the present
 *   period may reach into it, and then does not count.
 */
export function sumBefore({ series, step_seconds }: Overview, longer: Overview): Sums {
  const start = Date.parse(series[0]?.at ?? "");
  const lengthMs = series.length * step_seconds * 1_000;
  const end = start - longer.step_seconds * 1_000;
  let delivered = 0;
  let failed = 0;
  for (const bucket of longer.series) {
    const at = Date.parse(bucket.at);
    if (at <= end - lengthMs || at > end) continue;
    delivered += bucket.delivered;
    failed += bucket.failed;
  }
  return { delivered, failed };
}
