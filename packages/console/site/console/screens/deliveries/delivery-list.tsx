import type { ConsoleWebhook, DeliveryCounts, Issue, Ledger } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import { DeliveriesChart } from "../../charts/count-charts.tsx";
import { ExportMenu } from "../../parts/export-menu.tsx";
import { FilterMenu, SearchField } from "../../parts/fields.tsx";
import { formatCount, formatCounted } from "../../parts/format.ts";
import { Pending, remFor, Tabs } from "../../parts/page.tsx";
import { describeEvents } from "../../parts/webhook-events.ts";
import { useConsole } from "../../state/console-context.ts";
import { isInLedger, outcomes, useLedger, withTimes } from "../../state/ledger.ts";
import type { Outcome } from "../../state/ledger.ts";
import { hrefTo, replaceQuery } from "../../state/route.ts";
import { useGet, useRows } from "../../state/use-api.ts";
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
}

/** The stream of changes does not tell of events that are not sent. */
const countEveryMs = 15_000;

/** Chart, counts, filters and rows of deliveries. All screens with a list of deliveries have the same tools. */
export function DeliveryList({ query, place, withWebhook = true }: DeliveryListProps) {
  const { outcome } = query;
  const isCounted = isInLedger(query);
  const shown = outcomes.find(({ name }) => name === outcome)?.name;
  const ledger = useLedger(isCounted ? query : undefined, { byWebhook: shown === "not_sent" });
  useLiveReload(ledger.refresh, (change) => change.type === "delivery", 5_000);
  useRefresh(ledger.refresh, countEveryMs);
  const hasLedger = isCounted && ledger.failure === undefined;
  const counts = useCounts(hasLedger ? undefined : query);
  const [resends, setResends] = useState(0);
  const webhooks = useRows<ConsoleWebhook>(withWebhook ? toPath("webhooks") : undefined, {
    limit: "100",
  }).data;
  return (
    <>
      {isCounted && ledger.failure?.code !== "resource_not_found" ? (
        <Pending of={ledger} rem={remFor(13.14, 11.74)} />
      ) : null}
      {ledger.data === undefined ? null : <Histogram ledger={ledger.data} outcome={shown} />}
      {hasLedger ? (
        <OutcomeTabs query={query} place={place} numbers={ledger.data?.totals} />
      ) : (
        <CountedTabs query={query} place={place} numbers={counts} />
      )}
      <div class="filter-line">
        <SearchField
          label="Record, order number, e-mail, URL or id"
          text={query["q"] ?? ""}
          onSearch={(q) => replaceQuery({ q })}
        />
        <FilterBar query={query} withWebhook={withWebhook} webhooks={webhooks} />
        {shown === "not_sent" ? null : (
          <ExportMenu path={toPath("deliveries", "export")} name="deliveries" query={withTimes(query)} />
        )}
        <ResendMatching
          query={withTimes(query)}
          numbers={hasLedger ? ledger.data?.totals : counts}
          onDone={() => setResends((count) => count + 1)}
        />
      </div>
      {shown === "not_sent" ? (
        <NotSentTable ledger={ledger} />
      ) : (
        <DeliveryTable key={resends} query={query} withWebhook={withWebhook} webhooks={webhooks} />
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
  const { data, refresh } = useGet<DeliveryCounts>(
    query && toPath("deliveries", "counts"),
    withTimes(filters),
    JSON.stringify(filters),
  );
  useLiveReload(refresh, (change) => query !== undefined && change.type === "delivery");
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

const kinds = ["event", "resend", "test"];
const errors = ["timeout", "dns", "blocked_address", "connect", "tls", "reset", "protocol", "status"];
const statuses = ["400", "401", "403", "404", "405", "410", "413", "429", "500", "502", "503", "504"];

interface FilterBarProps extends Required<Pick<DeliveryListProps, "query" | "withWebhook">> {
  readonly webhooks: readonly ConsoleWebhook[] | undefined;
}

/** The filters. The status and the site have their own controls. */
function FilterBar({ query, withWebhook, webhooks = [] }: FilterBarProps) {
  const { eventTypes } = useConsole();
  const issues = useGet<readonly Issue[]>(query["issue"] && toPath("issues"), {
    webhook_id: query["webhook_id"],
  }).data;
  const same = (values: readonly string[]) => values.map((value) => [value, value] as const);
  return (
    <FilterMenu
      query={withWebhook ? query : { ...query, webhook_id: undefined }}
      filters={[
        { name: "event", title: "Event", choices: same(eventTypes.map(({ event }) => event)) },
        ...(withWebhook
          ? [
              {
                name: "webhook_id",
                title: "Webhook",
                choices: webhooks.map(
                  (webhook) =>
                    [
                      webhook.id,
                      `${webhook.name ?? webhook.target_url} (${describeEvents(webhook)})`,
                    ] as const,
                ),
              },
            ]
          : []),
        { name: "kind", title: "Kind", choices: same(kinds) },
        { name: "http_status", title: "HTTP status", choices: same(statuses) },
        { name: "error", title: "Error", choices: same(errors) },
        {
          name: "issue",
          title: "Issue",
          choices: issues?.map(({ id, http_status, error, response }) => [
            id,
            `${http_status ?? error ?? "others"} ${response ?? ""}`,
          ]),
        },
        { name: "attempts_min", title: "Attempts at least", choices: same(["1", "2", "3", "4", "5", "6"]) },
      ]}
    />
  );
}
