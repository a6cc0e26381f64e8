import type { OverviewPeriod } from "@hookwright/domain";

/** The periods of the charts, shortest first. */
export const overviewPeriods: readonly OverviewPeriod[] = ["1h", "24h", "7d", "30d"];

/** The period that the address names. @default 24h */
export function readPeriod(text: string | undefined): OverviewPeriod {
  return overviewPeriods.find((period) => period === text) ?? "24h";
}

export const periodNames: Readonly<Record<OverviewPeriod, string>> = {
  "1h": "the last hour",
  "24h": "the last 24 hours",
  "7d": "the last 7 days",
  "30d": "the last 30 days",
};
