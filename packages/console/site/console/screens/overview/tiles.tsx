import type { Overview, OverviewPeriod } from "@hookwright/domain";
import type { ComponentChildren } from "preact";
import { toPath } from "../../api/console-api.ts";
import { Sparkline } from "../../charts/small-charts.tsx";
import {
  countRetried,
  describeRetried,
  formatCount,
  formatDuration,
  formatShare,
  sumRetried,
} from "../../parts/format.ts";
import { periodNames, useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { useGet } from "../../state/use-api.ts";

/** The period whose series contains the period before. The series of 30 days has nothing before. */
const longerPeriods: Readonly<Partial<Record<OverviewPeriod, OverviewPeriod>>> = {
  "1h": "24h",
  "24h": "7d",
  "7d": "30d",
};

export interface TilesProps {
  readonly overview: Overview;
  /** Undefined: all webhooks. */
  readonly webhookId?: string;
}

/** Four numbers about a period, with the change from the period before. */
export function Tiles({ overview, webhookId }: TilesProps) {
  const { site } = useConsole();
  const projectId = webhookId === undefined ? site : undefined;
  const { period, series, totals } = overview;
  const longer = longerPeriods[period];
  const { data: longerOverview } = useGet<Overview>(longer && toPath("overview"), {
    period: longer,
    webhook_id: webhookId,
    project_id: projectId,
  });
  const before = longerOverview && sumBefore(overview, longerOverview);
  return (
    <ul class="tiles" aria-label={`Numbers of ${periodNames[period]}`}>
      <Tile
        name="Delivered"
        value={formatCount(totals.delivered)}
        change={<CountChange now={totals.delivered} before={before} />}
      >
        <Sparkline values={series.map(({ delivered }) => delivered)} />
      </Tile>
      <Tile
        name="Success rate"
        value={formatShare(totals.success_rate)}
        tone={totals.success_rate !== null && totals.success_rate < 0.95 ? "bad" : undefined}
        change={<RateChange now={totals.success_rate} before={before} retried={sumRetried(series)} />}
      >
        <Sparkline
          values={series.map(({ delivered, failed }) =>
            delivered + failed === 0 ? null : delivered / (delivered + failed),
          )}
        />
      </Tile>
      <Tile
        name="Response time, p95"
        value={totals.p95_ms === null ? "–" : formatDuration(totals.p95_ms)}
        change={totals.p50_ms === null ? "" : `half within ${formatDuration(totals.p50_ms)}`}
      >
        <Sparkline values={series.map(({ p95_ms }) => p95_ms)} />
      </Tile>
      <Tile
        name="Pending"
        value={totals.pending >= 10_000 ? "10,000+" : formatCount(totals.pending)}
        change={
          totals.pending === 0 ? (
            "nothing waits"
          ) : (
            <a href={hrefTo(["deliveries"], { status: "pending", webhook_id: webhookId })}>Show</a>
          )
        }
      >
        <Sparkline values={series.map(countRetried)} />
      </Tile>
    </ul>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: "bad" | undefined;
  readonly change: ComponentChildren;
  readonly children: ComponentChildren;
}

function Tile({ name, value, tone, change, children }: TileProps) {
  return (
    <li class="tile">
      <h2>{name}</h2>
      <p class={`value ${tone ?? ""}`}>{value}</p>
      {children}
      <p class="quiet change">{change}</p>
    </li>
  );
}

function CountChange({ now, before }: { readonly now: number; readonly before: Sums | undefined }) {
  if (before === undefined) return null;
  if (before.delivered === 0) return <>none in the period before</>;
  const percent = Math.round((now / before.delivered - 1) * 100);
  if (percent >= 1_000) return <>more than ten times the period before</>;
  return <>{formatSign(percent)} % from the period before</>;
}

interface RateChangeProps {
  readonly now: number | null;
  readonly before: Sums | undefined;
  /** Attempts that failed and are retried: the rate does not contain them. */
  readonly retried: number;
}

function RateChange({ now, before, retried }: RateChangeProps) {
  const ended = before === undefined ? 0 : before.delivered + before.failed;
  const points =
    now === null || before === undefined || ended === 0 ? undefined : (now - before.delivered / ended) * 100;
  return (
    <>
      {retried === 0 ? null : <strong class="warn">{describeRetried(retried)}</strong>}
      {retried === 0 || points === undefined ? null : " · "}
      {points === undefined
        ? null
        : `${formatSign(Math.round(points * 10) / 10)} points from the period before`}
    </>
  );
}

function formatSign(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "±0";
}

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
