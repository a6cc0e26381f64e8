import { formatMs } from "@hookwright/domain";
import type { ApiKey, RequestCounts, RequestLogEntry } from "@hookwright/domain";
import { useMemo, useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import { RequestsChart } from "../../charts/count-charts.tsx";
import { ExportMenu } from "../../parts/export-menu.tsx";
import { Button } from "../../parts/buttons.tsx";
import { Answer } from "../../parts/cells.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { FilterMenu, SearchField } from "../../parts/fields.tsx";
import { formatCounted } from "../../parts/format.ts";
import { FailureNote, Loading, ReferenceLink, remFor, ScreenHeader, Tabs } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Ago } from "../../parts/time.tsx";
import { periodNames, useConsole } from "../../state/console-context.ts";
import { withTimes } from "../../state/ledger.ts";
import { hrefTo, replaceQuery } from "../../state/route.ts";
import { useGet, useRows } from "../../state/use-api.ts";
import { useRefresh } from "../../state/use-live.ts";
import { useNewest, usePages } from "../../state/use-pages.ts";
import { RateLimitMeter } from "./rate-limit-meter.tsx";
import { RequestDrawer } from "./request-drawer.tsx";

/** The server reads the whole log to count it. */
const countEveryMs = 15_000;

/** What programs asked the API with the account's keys. The console's own calls are not listed. */
export function RequestLog({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { period } = useConsole();
  const { status, method, path, key_id, since, until } = query;
  const others = { method, path, key_id, since, until };
  const filters = { status, ...others };
  const list = { limit: "50", period, ...filters };
  const pages = usePages<RequestLogEntry>(
    toPath("requests"),
    withTimes(list),
    undefined,
    JSON.stringify(list),
  );
  const counted = { period, ...others };
  const counts = useGet<RequestCounts>(
    toPath("requests", "counts"),
    withTimes(counted),
    JSON.stringify(counted),
  );
  const series = useGet<RequestCounts>(toPath("requests", "counts"), { period, method, path, key_id });
  useRefresh(() => {
    counts.refresh();
    series.refresh();
  }, countEveryMs);
  useNewest(pages);
  const [opened, setOpened] = useState<RequestLogEntry>();
  const columns = useMemo(() => requestColumns(setOpened), []);
  const isFiltered = Object.values(filters).some(Boolean);
  const isUnused = !isFiltered && counts.data?.all === 0;
  const reload = (): void => {
    pages.reload();
    counts.reload();
    series.reload();
  };
  return (
    <>
      <ScreenHeader title="Requests">
        <Button onClick={reload}>Refresh</Button>
        <ExportMenu
          path={toPath("requests", "export")}
          name="requests"
          query={withTimes({ period, ...filters })}
        />
      </ScreenHeader>
      <div class="request-head">
        {series.data === undefined && series.failure === undefined ? (
          <Loading rem={remFor(14.5, 11)} />
        ) : null}
        <FailureNote failure={series.failure ?? counts.failure} onRetry={reload} />
        {isUnused || series.data?.series === undefined ? null : (
          <div class="histogram">
            <RequestsChart
              counts={series.data}
              series={series.data.series}
              stepSeconds={series.data.step_seconds ?? 0}
              period={periodNames[period]}
              onChoose={(first, last) => replaceQuery({ since: first, until: last })}
            />
          </div>
        )}
        <RateLimitMeter refused={series.data?.rate_limited} period={periodNames[period]} />
      </div>
      <StatusTabs query={filters} counts={counts.data} />
      <RequestFilters query={filters} />
      <PagedTable
        caption="Requests to the API, newest first"
        columns={columns}
        pages={pages}
        onOpen={setOpened}
        empty={
          isFiltered ? (
            <p>No matching requests.</p>
          ) : (
            <>
              <h2>No requests yet</h2>
              <p>
                Requests with one of your API keys appear here. Try one in the <ReferenceLink />.
              </p>
            </>
          )
        }
      />
      {opened === undefined ? null : <RequestDrawer entry={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** The columns of the request log. */
function requestColumns(onOpen: (entry: RequestLogEntry) => void): readonly Column<RequestLogEntry>[] {
  return [
    { name: "Status", place: "mark", cell: ({ status }) => <Answer status={status} error={null} /> },
    {
      name: "Request",
      kind: "url",
      place: "title",
      cell: (entry) => (
        <button type="button" class="link row-link" onClick={() => onOpen(entry)}>
          <code>
            {entry.method} {entry.path}
          </code>
        </button>
      ),
    },
    {
      name: "Error",
      place: "detail",
      cell: ({ error_code }) => (error_code === null ? null : <code>{error_code}</code>),
    },
    { name: "Key", kind: "name", isWide: true, cell: ({ key_name }) => <bdi>{key_name}</bdi> },
    {
      name: "Duration",
      kind: "number",
      isWide: true,
      cell: ({ duration_ms }) => formatMs(duration_ms),
    },
    { name: "Time", place: "detail", cell: ({ created_at }) => <Ago at={created_at} /> },
  ];
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The filters of the request log. The classes of statuses are tabs. */
function RequestFilters({ query }: { readonly query: Query }) {
  const keys = useRows<ApiKey>(toPath("keys"), { limit: "100" }).data ?? [];
  const isClass = query["status"]?.endsWith("xx") ?? false;
  return (
    <div class="filter-line">
      <SearchField
        label="Path, such as /v1/orders"
        text={query["path"] ?? ""}
        onSearch={(path) => replaceQuery({ path })}
      />
      <FilterMenu
        query={isClass ? { ...query, status: "" } : query}
        filters={[
          { name: "key_id", title: "Key", choices: keys.map(({ id, name }) => [id, name]) },
          { name: "method", title: "Method", choices: methods.map((each) => [each, each]) },
          { name: "status", title: "Status" },
        ]}
      />
    </div>
  );
}

const tabs = [
  ["", "All", "all"],
  ["2xx", "2xx", "ok"],
  ["4xx", "4xx", "client_error"],
  ["5xx", "5xx", "server_error"],
] as const;

interface StatusTabsProps {
  readonly query: Query;
  /** Undefined until they are known. */
  readonly counts: RequestCounts | undefined;
}

/** The classes of statuses, with their numbers under the other filters. */
function StatusTabs({ query, counts }: StatusTabsProps) {
  const { status = "" } = query;
  return (
    <Tabs
      label="Status"
      tabs={tabs.map(([value, title, name]) => ({
        title,
        href: hrefTo(["requests"], { ...query, status: value }),
        isCurrent: status === value,
        count: counts && formatCounted(counts[name]),
      }))}
    />
  );
}
