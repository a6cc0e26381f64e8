import { successRate } from "@hookwright/domain";
import type { WebhookHealth } from "@hookwright/domain";
import { describeOutcomes } from "../parts/describe-outcomes.ts";
import { formatShare } from "../parts/format.ts";
import { useTimeZone } from "../parts/time.tsx";
import { formatBucket } from "./chart.tsx";

/** The last 24 hours of a webhook: one cell for each hour, as on status pages. Cells without traffic are hatched. */
export function HealthStrip({ health }: { readonly health: WebhookHealth }) {
  const timeZone = useTimeZone();
  const { strip, success_rate } = health;
  const label =
    success_rate === null
      ? "No event of the last 24 hours has an outcome"
      : `${formatShare(success_rate)} delivered in the last 24 hours`;
  return (
    <svg class="strip" viewBox={`0 0 ${strip.length * 5} 16`} role="img" aria-label={label}>
      <path class="hatch" d={strip.map(hatch).join("")} />
      {strip.map((bucket, index) => (
        <rect key={bucket.at} class={styleOf(bucket)} x={index * 5} y="0" width="4" height="16" rx="1">
          <title>{`${formatBucket(bucket.at, 3_600, timeZone)}: ${describeOutcomes(bucket)}`}</title>
        </rect>
      ))}
    </svg>
  );
}

type Cell = WebhookHealth["strip"][number];

/** Three lines across a cell without traffic. */
function hatch({ due }: Cell, index: number): string {
  if (due > 0) return "";
  return [5, 10, 15].map((y) => `M${index * 5} ${y}l4-4`).join("");
}

function styleOf(cell: Cell): string {
  if (cell.due === 0) return "none";
  const rate = successRate(cell);
  if (rate === null) return "info";
  return rate === 1 ? "good" : rate > 0.5 ? "warn" : "bad";
}

/** A small line without axes. It repeats numbers of the page, so screen readers skip it. Null is a gap. */
export function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const maximum = Math.max(1e-9, ...values.map((value) => value ?? 0));
  const place = (value: number, index: number): string =>
    `${((index / Math.max(1, values.length - 1)) * 100).toFixed(1)},${(22 - (value / maximum) * 20).toFixed(1)}`;
  const points = values.flatMap((value, index) => (value === null ? [] : [place(value, index)]));
  return (
    <svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      {points.length > 1 ? <polyline points={points.join(" ")} vector-effect="non-scaling-stroke" /> : null}
    </svg>
  );
}
