import { formatMs } from "@hookwright/domain";
import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import {
  Answer,
  AttemptDots,
  DeliveryStatus,
  Endpoint,
  MiddleText,
  SharedTitles,
  SiteName,
} from "../../parts/cells.tsx";
import { useSelection } from "../../parts/data-table.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { findSharedTitles } from "../../parts/tell-apart.ts";
import { Ago } from "../../parts/time.tsx";
import { periodNames, useConsole } from "../../state/console-context.ts";
import { withTimes } from "../../state/ledger.ts";
import type { LiveChange } from "../../state/live.ts";
import { hrefTo, replaceQuery } from "../../state/route.ts";
import { usePages } from "../../state/use-pages.ts";
import type { LiveRows } from "../../state/use-pages.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { DeliveryDrawer } from "./delivery-view.tsx";
import { RunningResends } from "./resend-list.tsx";

export interface DeliveryTableProps {
  readonly query: Query;
  /** False on the page of a webhook. */
  readonly withWebhook?: boolean;
  /** They have names. @default none is known */
  readonly webhooks?: readonly ConsoleWebhook[] | undefined;
}

const none: readonly ConsoleWebhook[] = [];

/** The deliveries that match a query, newest first. A click opens one beside the list. */
export function DeliveryTable({ query, withWebhook = true, webhooks = none }: DeliveryTableProps) {
  const { projects } = useConsole();
  const newestId = useRef<string | undefined>(undefined);
  const name = JSON.stringify(query);
  const timed = withTimes(query);
  const pages = usePages<Delivery>(
    toPath("deliveries"),
    timed,
    liveDeliveries(query, () => newestId.current),
    name,
  );
  newestId.current = pages.rows?.[0]?.id;
  const [opened, setOpened] = useState<string>();
  const [resends, setResends] = useState(0);
  useFocusReturn(opened);
  const rows = pages.rows ?? [];
  const names = useMemo(() => new Map(webhooks.map(({ id, name }) => [id, name])), [webhooks]);
  const titles = useMemo(
    () =>
      findSharedTitles(
        rows.map(({ target_url, webhook_id }) => ({ target_url, name: names.get(webhook_id) })),
      ),
    [pages.rows, names],
  );
  const { selection, selected, clear } = useSelection(rows, name);
  const columns = useMemo(
    () => columnsFor(withWebhook ? names : undefined, projects.length > 1),
    [withWebhook, names, projects],
  );
  const index = rows.findIndex(({ id }) => id === opened);
  return (
    <>
      <BulkBar
        selected={selected}
        query={timed}
        onDone={() => {
          clear();
          pages.reload();
          setResends((count) => count + 1);
        }}
      />
      <RunningResends key={resends} />
      <SharedTitles value={titles}>
        <PagedTable
          caption="Deliveries, newest first"
          columns={columns}
          pages={pages}
          selection={selection}
          onOpen={({ id }) => setOpened(id)}
          empty={<Empty query={query} withWebhook={withWebhook} />}
        />
      </SharedTitles>
      {opened === undefined ? null : (
        <DeliveryDrawer
          key={opened}
          id={opened}
          previous={rows[index - 1]?.id}
          next={rows[index + 1]?.id}
          onOpen={setOpened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/** Why the list is empty, and the longest period, if a shorter one may be the reason. */
function Empty({ query, withWebhook }: Required<Omit<DeliveryTableProps, "webhooks">>) {
  const { period } = useConsole();
  const { since, until, period: _, webhook_id, ...others } = query;
  const isFiltered = Object.values({ ...others, ...(withWebhook && { webhook_id }) }).some(Boolean);
  const what = isFiltered ? "No matching deliveries" : "No deliveries";
  if (since || until) return <p>{what} in this time.</p>;
  return (
    <p>
      {what} in {periodNames[period]}.{" "}
      {period === "30d" ? null : (
        <button type="button" class="link" onClick={() => replaceQuery({ period: "30d" })}>
          Show the last 30 days
        </button>
      )}
    </p>
  );
}

/** After the drawer has closed, the row of what it showed last has the focus: the user may have stepped on. */
function useFocusReturn(opened: string | undefined): void {
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (opened === undefined && last.current !== undefined)
      document.querySelector<HTMLElement>(`[data-row="${CSS.escape(last.current)}"] .row-link`)?.focus();
    last.current = opened;
  }, [opened]);
}

/** @param names of the webhooks. Undefined: without a column for them */
function columnsFor(
  names: ReadonlyMap<string, string | null> | undefined,
  withSite: boolean,
): readonly Column<Delivery>[] {
  const columns: readonly (Column<Delivery> | undefined)[] = [
    {
      name: "Status",
      width: "status",
      place: "mark",
      cell: (delivery) => <DeliveryStatus delivery={delivery} />,
    },
    {
      name: "Event",
      width: "event",
      place: "detail",
      cell: ({ event }) => <code title={event}>{event}</code>,
    },
    {
      name: "Record",
      kind: "record",
      place: "title",
      cell: ({ id, record_id, kind }) => (
        <div class="record-line">
          <a class="row-link" href={hrefTo(["deliveries", id])} title={record_id} aria-label={record_id}>
            <MiddleText text={record_id} whole={14} />
          </a>
          {kind === "event" ? null : <span class="badge">{kind}</span>}
        </div>
      ),
    },
    names
      ? {
          name: "Endpoint",
          kind: "url",
          place: "detail",
          cell: ({ target_url, webhook_id }) => (
            <Endpoint url={target_url} name={names.get(webhook_id) ?? null} />
          ),
        }
      : undefined,
    withSite
      ? { name: "Site", width: "site", cell: ({ project_id }) => <SiteName id={project_id} /> }
      : undefined,
    {
      name: "Last answer",
      width: "answer",
      place: "detail",
      cell: ({ last_status, last_error }) => <Answer status={last_status} error={last_error} />,
    },
    {
      name: "Duration",
      kind: "number",
      width: "duration",
      cell: ({ last_duration_ms }) => (last_duration_ms === null ? "–" : formatMs(last_duration_ms)),
    },
    { name: "Attempts", width: "attempts", cell: (delivery) => <AttemptDots delivery={delivery} /> },
    { name: "Created", width: "time", place: "detail", cell: ({ created_at }) => <Ago at={created_at} /> },
  ];
  return columns.filter((column) => column !== undefined);
}

/** `site` is in the address under another name. */
const names = [
  "outcome",
  "status",
  "q",
  "event",
  "webhook_id",
  "kind",
  "http_status",
  "issue",
  "error",
  "attempts_min",
  "since",
  "until",
  "period",
] as const;

/** The filters of the address, with the names of the API. The period is not one of the API: `withTimes` replaces it. */
export function toDeliveryQuery(address: Readonly<Record<string, string>>): Query {
  return {
    ...Object.fromEntries(names.map((name) => [name, address[name]])),
    project_id: address["site"] ?? address["project_id"],
  };
}

/** Which changes belong to a list of deliveries with these filters. */
export function liveDeliveries(query: Query, newestId: () => string | undefined): LiveRows<Delivery> {
  const { outcome, event, webhook_id, project_id } = query;
  // The rows of an outcome are events.
  const { status = outcome, kind = outcome && "event" } = query;
  const wanted = { status, event, webhook_id, project_id, kind };
  return {
    rowOf: (change: LiveChange) => (change.type === "delivery" ? change.row : undefined),
    mayBeNew: (row) => {
      // Ids sort by time, as in the list. Several deliveries of one event may have the same time.
      if (row.id < (newestId() ?? "")) return false;
      const fields: Readonly<Record<string, unknown>> = { ...row };
      return Object.entries(wanted).every(([name, value]) => !value || fields[name] === value);
    },
  };
}
