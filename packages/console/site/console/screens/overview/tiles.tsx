import { countNotDelivered, successRate, formatMs } from "@hookwright/domain";
import type { Ledger, LedgerNumbers } from "@hookwright/domain";
import type { ComponentChildren } from "preact";
import type { Query } from "../../api/console-api.ts";
import { Sparkline } from "../../charts/small-charts.tsx";
import { describeRetried, formatCount, formatShare } from "../../parts/format.ts";
import { LossLinks } from "../../parts/losses.tsx";
import type { LossLinksProps } from "../../parts/losses.tsx";
import { periodNames, useConsole } from "../../state/console-context.ts";
import { hrefToRows, isFlaky, useLedger } from "../../state/ledger.ts";

export interface TilesProps {
  readonly ledger: Ledger;
  /** The filters of its numbers. */
  readonly filters: Query;
}

/** The numbers of a period, with the change from the period before. Each is a link to what it counts. */
export function Tiles({ ledger, filters }: TilesProps) {
  const { period } = useConsole();
  const { series, totals } = ledger;
  const before = useBefore(ledger, filters);
  const rate = successRate(totals);
  const lost = countNotDelivered(totals);
  const { first_try_rate } = totals;
  return (
    <ul class="tiles" aria-label={`Numbers of ${periodNames[period]}`}>
      <Tile
        name="Success rate"
        value={formatShare(rate)}
        tone={rate !== null && rate < 0.95 ? "bad" : undefined}
        change={
          rate === null ? (
            "no event has an outcome"
          ) : (
            <>
              {isFlaky({ success_rate: rate, first_try_rate }) ? (
                <strong class="warn">first try {formatShare(first_try_rate)} · </strong>
              ) : null}
              {describeRateChange(rate, before) ??
                `${formatCount(totals.delivered)} of ${formatCount(totals.due - totals.pending)}`}
            </>
          )
        }
      >
        <Sparkline values={series.map(successRate)} />
      </Tile>
      <Tile
        name="Delivered"
        value={<CountLink name="delivered" numbers={totals} filters={filters} />}
        change={describeCountChange(totals.delivered, before)}
      >
        <Sparkline values={series.map(({ delivered }) => delivered)} />
      </Tile>
      <Tile
        name="Not delivered"
        value={formatCount(lost)}
        tone={lost > 0 ? "bad" : undefined}
        change={<LossLinks numbers={totals} filters={filters} />}
      >
        <Sparkline values={series.map(countNotDelivered)} />
      </Tile>
      <Tile
        name="Pending"
        value={<CountLink name="pending" numbers={totals} filters={filters} />}
        change={
          totals.retried === 0 ? (
            totals.pending === 0 && "nothing waits"
          ) : (
            <strong class="warn">{describeRetried(totals.retried)}</strong>
          )
        }
      >
        <Sparkline values={series.map(({ retried }) => retried)} />
      </Tile>
      <Tile
        name="Response time, p95"
        value={totals.p95_ms === null ? "–" : formatMs(totals.p95_ms)}
        change={
          totals.p50_ms === null
            ? ""
            : `half within ${formatMs(totals.p50_ms)}, 99 % within ${formatMs(totals.p99_ms ?? 0)}, longest ${formatMs(totals.max_ms ?? 0)}`
        }
      >
        <Sparkline values={series.map(({ p95_ms }) => p95_ms)} />
      </Tile>
    </ul>
  );
}

interface CountLinkProps extends LossLinksProps {
  readonly name: "delivered" | "pending";
}

/** A number as a link whose name says what it counts. */
function CountLink({ name, numbers, filters }: CountLinkProps) {
  const count = formatCount(numbers[name]);
  return (
    <a href={hrefToRows(name, filters)} aria-label={`${count} ${name}`}>
      {count}
    </a>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: ComponentChildren;
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

/** The numbers of the period before, which is as long. The ledger has nothing before its longest period. */
function useBefore(ledger: Ledger, filters: Query): LedgerNumbers | undefined {
  const { period } = useConsole();
  const [since, until] = [Date.parse(ledger.since), Date.parse(ledger.until)];
  const before = {
    ...filters,
    since: new Date(since - (until - since)).toISOString(),
    until: ledger.since,
  };
  return useLedger(period === "30d" ? undefined : before).data?.totals;
}

function describeCountChange(now: number, before: LedgerNumbers | undefined): string {
  if (before === undefined) return "";
  if (before.delivered === 0) return "none in the period before";
  const percent = Math.round((now / before.delivered - 1) * 100);
  if (percent >= 1_000) return "more than ten times the period before";
  return `${formatSign(percent)} % from the period before`;
}

function describeRateChange(now: number, before: LedgerNumbers | undefined): string | undefined {
  const rate = before && successRate(before);
  if (rate === undefined || rate === null) return undefined;
  return `${formatSign(Math.round((now - rate) * 1_000) / 10)} points from the period before`;
}

function formatSign(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "±0";
}
