import type { RequestCounts, RequestLogEntry } from "@hookwright/domain";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Query } from "../../api/console-api.ts";
import { RequestsChart } from "../../charts/requests-chart.tsx";
import { Button } from "../../parts/button.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { ReferenceLink } from "../../parts/reference-link.tsx";
import { ScreenHeader } from "../../parts/screen-header.tsx";
import { PeriodPicker } from "../../shell/period-picker.tsx";
import { useConsole } from "../../state/console-context.ts";
import { periodNames } from "../../state/periods.ts";
import type { Pages } from "../../state/use-pages.ts";
import { usePages } from "../../state/use-pages.ts";
import { useRefresh } from "../../state/use-refresh.ts";
import type { Resource } from "../../state/use-resource.ts";
import { useResource } from "../../state/use-resource.ts";
import { replaceQuery } from "../../state/use-route.ts";
import { useTitle } from "../../state/use-title.ts";
import { RateLimitMeter } from "./rate-limit-meter.tsx";
import { requestColumns } from "./request-columns.tsx";
import { RequestDrawer } from "./request-drawer.tsx";
import { RequestFilters } from "./request-filters.tsx";
import { StatusTabs } from "./status-tabs.tsx";

/** The server reads the whole log to count it. */
const countEveryMs = 15_000;
/** Nearer to the top than this, new rows appear by themselves. */
const topPixels = 160;

/** What programs asked the API with the account's keys. The console's own calls are not listed. */
export function RequestLog({ query }: { readonly query: Readonly<Record<string, string>> }) {
  useTitle("Requests");
  const { period } = useConsole();
  const { status, method, path, key_id, since, until } = query;
  const others = { method, path, key_id, since, until };
  const filters = { status, ...others };
  const pages = usePages<RequestLogEntry>("console/api/requests", { limit: "50", ...filters });
  const counts = useCounts("requests", others);
  const series = useCounts("requests over time", { period, method, path, key_id });
  useRefresh(() => {
    counts.reload();
    series.reload();
  }, countEveryMs);
  useNewRows(counts.data, pages);
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
        <PeriodPicker />
        <Button onClick={reload}>Refresh</Button>
      </ScreenHeader>
      <div class="request-head">
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

/** @param name what is counted */
function useCounts(name: string, query: Query): Resource<RequestCounts> {
  const { api } = useConsole();
  return useResource(`${name} ${JSON.stringify(query)}`, (signal) =>
    api.get<RequestCounts>("console/api/requests/counts", { query, signal }),
  );
}

/** Loads the list again when its numbers have changed, unless the user reads further down. */
function useNewRows(counts: RequestCounts | undefined, { isLonger, reload }: Pages<RequestLogEntry>): void {
  const text = JSON.stringify(counts);
  const last = useRef<string>(undefined);
  useEffect(() => {
    const hasChanged = last.current !== undefined && text !== undefined && last.current !== text;
    last.current = text;
    if (hasChanged && !isLonger && scrollY < topPixels) reload();
  }, [text]);
}
