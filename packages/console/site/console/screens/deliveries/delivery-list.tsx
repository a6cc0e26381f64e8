import type { DeliveryCounts, Ledger } from "@hookwright/domain";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import { DeliveriesChart } from "../../charts/count-charts.tsx";
import { formatCount, formatCounted } from "../../parts/format.ts";
import { Tabs } from "../../parts/page.tsx";
import { isInLedger, outcomes, useLedger, withTimes } from "../../state/ledger.ts";
import type { Outcome } from "../../state/ledger.ts";
import { hrefTo, replaceQuery } from "../../state/route.ts";
import { useGet } from "../../state/use-api.ts";
import { useLiveReload, useRefresh } from "../../state/use-live.ts";
import { ResendMatching } from "./bulk-bar.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { NotSentTable } from "./not-sent-table.tsx";

/** The screen of a list. */
export interface Place {
  readonly segments: readonly string[];
  /** What the address has besides the filters. */
  readonly query: Query;
}

export interface DeliveryListProps {
  /** The filters, and the period of the address. */
  readonly query: Query;
  readonly place: Place;
  /** False on the page of a webhook. */
  readonly withWebhook?: boolean;
  /** The controls of the filters. */
  readonly children?: ComponentChildren;
}

/** The stream of changes does not tell of events that are not sent. */
const countEveryMs = 15_000;

/** Chart, counts and rows of deliveries under the same filters. */
export function DeliveryList({ query, place, withWebhook = true, children }: DeliveryListProps) {
  const { outcome } = query;
  const isCounted = isInLedger(query);
  const shown = outcomes.find(({ name }) => name === outcome)?.name;
  const ledger = useLedger(isCounted ? query : undefined, { byWebhook: shown === "not_sent" });
  useLiveReload(ledger.reload, (change) => change.type === "delivery", 5_000);
  useRefresh(ledger.reload, countEveryMs);
  const hasLedger = isCounted && ledger.failure === undefined;
  const counts = useCounts(hasLedger ? undefined : query);
  const [resends, setResends] = useState(0);
  return (
    <>
      {ledger.data === undefined ? null : <Histogram ledger={ledger.data} outcome={shown} />}
      {hasLedger ? (
        <OutcomeTabs query={query} place={place} numbers={ledger.data?.totals} />
      ) : (
        <CountedTabs query={query} place={place} numbers={counts} />
      )}
      <div class="filter-line">
        {children}
        <ResendMatching
          query={withTimes(query)}
          numbers={hasLedger ? ledger.data?.totals : counts}
          onDone={() => setResends((count) => count + 1)}
        />
      </div>
      {shown === "not_sent" ? (
        <NotSentTable ledger={ledger} />
      ) : (
        <DeliveryTable key={resends} query={query} withWebhook={withWebhook} />
      )}
    </>
  );
}

interface HistogramProps {
  readonly ledger: Ledger;
  readonly outcome: Outcome | undefined;
}

/** What became of the events over time. A click or a drag narrows the list to a time. */
function Histogram({ ledger, outcome }: HistogramProps) {
  return (
    <div class="histogram">
      <DeliveriesChart
        ledger={ledger}
        outcome={outcome}
        onChoose={(since, until) => replaceQuery({ since, until })}
      />
    </div>
  );
}

interface OutcomeTabsProps extends Pick<DeliveryListProps, "query" | "place"> {
  /** Undefined until they are known. */
  readonly numbers: Readonly<Record<Outcome, number>> | undefined;
}

/** The outcomes with the numbers of the ledger. All rows are more: resends and tests are among them. */
function OutcomeTabs({ query, place, numbers }: OutcomeTabsProps) {
  return (
    <StatusTabs
      query={query}
      place={place}
      tabs={outcomes.map(({ name, title }) => ({
        name,
        title,
        count: numbers && formatCount(numbers[name]),
      }))}
    />
  );
}

/** The numbers of deliveries under filters that the ledger does not know. */
function useCounts(query: Query | undefined): DeliveryCounts | undefined {
  const { outcome: _outcome, status: _status, ...filters } = query ?? {};
  const { data, reload } = useGet<DeliveryCounts>(
    query && toPath("deliveries", "counts"),
    withTimes(filters),
    JSON.stringify(filters),
  );
  useLiveReload(reload, (change) => query !== undefined && change.type === "delivery");
  return data;
}

interface CountedTabsProps extends Pick<OutcomeTabsProps, "query" | "place"> {
  readonly numbers: DeliveryCounts | undefined;
}

/** The outcomes under filters that the ledger does not know, such as a search. Deliveries are counted, so none is not sent. */
function CountedTabs({ query, place, numbers }: CountedTabsProps) {
  return (
    <StatusTabs
      query={query}
      place={place}
      tabs={outcomes.flatMap(({ name, title }) =>
        name === "not_sent" ? [] : [{ name, title, count: numbers && formatCounted(numbers[name]) }],
      )}
    />
  );
}

interface StatusTabsProps extends Pick<DeliveryListProps, "query" | "place"> {
  readonly tabs: readonly {
    readonly name: Outcome;
    readonly title: string;
    readonly count: string | undefined;
  }[];
}

function StatusTabs({
  query: { outcome, status, ...filters },
  place: { segments, query: others },
  tabs,
}: StatusTabsProps) {
  // Deliveries of a kind have a status, events an outcome.
  const parameter = filters["kind"] ? "status" : "outcome";
  const current = outcome || status || "";
  const hrefFor = (name: string): string =>
    hrefTo(segments, { ...filters, ...others, project_id: "", [parameter]: name });
  return (
    <Tabs
      label="Status"
      tabs={[
        { title: "All", href: hrefFor(""), isCurrent: current === "" },
        ...tabs.map(({ name, title, count }) => ({
          title,
          href: hrefFor(name),
          isCurrent: current === name,
          count,
        })),
      ]}
    />
  );
}
