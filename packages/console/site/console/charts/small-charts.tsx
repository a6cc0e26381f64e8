import type { WebhookHealth } from "@hookwright/domain";
import { formatShare } from "../parts/format.ts";
import { useTimeZone } from "../parts/time.tsx";
import { formatBucket } from "./chart.tsx";

/** The last 24 hours of a webhook: one cell for each hour, as on status pages. Cells without traffic are hatched. */
export function HealthStrip({ health }: { readonly health: WebhookHealth }) {
  const timeZone = useTimeZone();
  const { strip, success_rate } = health;
  const label =
    success_rate === null
      ? "No delivery ended in the last 24 hours"
      : `${formatShare(success_rate)} delivered in the last 24 hours`;
  return (
    <svg class="strip" viewBox={`0 0 ${strip.length * 5} 16`} role="img" aria-label={label}>
      <path class="hatch" d={strip.map(hatch).join("")} />
      {strip.map(({ at, delivered, failed }, index) => (
        <rect key={at} class={styleOf(delivered, failed)} x={index * 5} y="0" width="4" height="16" rx="1">
          <title>{`${formatBucket(at, 3_600, timeZone)}: ${delivered} delivered, ${failed} failed`}</title>
        </rect>
      ))}
    </svg>
  );
}

/** Three lines across a cell without traffic. */
function hatch({ delivered, failed }: WebhookHealth["strip"][number], index: number): string {
  if (delivered + failed > 0) return "";
  return [5, 10, 15].map((y) => `M${index * 5} ${y}l4-4`).join("");
}

function styleOf(delivered: number, failed: number): string {
  if (delivered + failed === 0) return "none";
  if (failed === 0) return "good";
  return delivered > failed ? "warn" : "bad";
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
