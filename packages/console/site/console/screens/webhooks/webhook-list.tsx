import { formatMs } from "@hookwright/domain";
import type { Attention, ListedConsoleWebhook } from "@hookwright/domain";
import { useCallback, useMemo, useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { HealthStrip } from "../../charts/small-charts.tsx";
import { ExportMenu } from "../../parts/export-menu.tsx";
import { Button } from "../../parts/buttons.tsx";
import {
  Endpoint,
  SharedTitles,
  SiteName,
  WebhookEvents,
  WebhookLink,
  WebhookStatus,
} from "../../parts/cells.tsx";
import { sortRows, useSelection } from "../../parts/data-table.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { formatShare } from "../../parts/format.ts";
import { ScreenHeader, Tabs } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { findSharedTitles, titleOf } from "../../parts/tell-apart.ts";
import { Ago, Time } from "../../parts/time.tsx";
import { needsAttention, sortWebhooks, useAttention } from "../../state/attention.tsx";
import { useConsole } from "../../state/console-context.ts";
import { isFlaky } from "../../state/ledger.ts";
import { hrefTo, useAskedDialog } from "../../state/route.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { usePages } from "../../state/use-pages.ts";
import { WebhookBulkBar } from "./bulk-actions.tsx";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";
import { TestDrawer, WebhookMenu } from "./webhook-actions.tsx";
import type { Tested } from "./webhook-actions.tsx";
import { removalReasons } from "./webhook-banner.tsx";

/** A tab of the list. */
interface View {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  readonly includes: (webhook: ListedConsoleWebhook, attention: readonly Attention[]) => boolean;
}

const views: readonly [View, ...View[]] = [
  { name: "", title: "All", includes: () => true },
  { name: "attention", title: "Needs attention", includes: needsAttention },
  { name: "paused", title: "Paused", includes: ({ status }) => status === "paused" },
];

/** @param shared the URLs that stand above the rows of their webhooks */
const nameColumn = (shared: ReadonlySet<string> = new Set()): Column<ListedConsoleWebhook> => ({
  name: "Webhook",
  kind: "url",
  place: "title",
  cell: (webhook) => <WebhookLink webhook={webhook} isBelowUrl={shared.has(webhook.target_url)} isRow />,
  sortBy: (webhook) => titleOf(webhook).toLowerCase(),
});
const eventsColumn: Column<ListedConsoleWebhook> = {
  name: "Events",
  place: "detail",
  cell: (webhook) => <WebhookEvents webhook={webhook} />,
};
const siteColumn: Column<ListedConsoleWebhook> = {
  name: "Site",
  kind: "name",
  isWide: true,
  cell: ({ project_id }) => <SiteName id={project_id} />,
};
const dataColumns: readonly Column<ListedConsoleWebhook>[] = [
  eventsColumn,
  siteColumn,
  { name: "Status", place: "mark", cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  {
    name: "Last 24 hours",
    cell: ({ health }) => (health === undefined ? null : <HealthStrip health={health} />),
  },
  {
    name: "Success",
    kind: "number",
    place: "detail",
    cell: ({ id, health }) => {
      const share = formatShare(health?.success_rate ?? null);
      return (
        <>
          <a href={hrefTo(["webhooks", id], { period: "24h" })} aria-label={`${share} delivered`}>
            {share}
          </a>
          {health !== undefined && isFlaky(health) ? (
            <span class="flaky"> first try {formatShare(health.first_try_rate)}</span>
          ) : null}
        </>
      );
    },
    sortBy: ({ health }) => health?.success_rate ?? null,
  },
  {
    name: "p95",
    kind: "number",
    isWide: true,
    cell: ({ health }) => (health?.p95_ms === null || health === undefined ? "–" : formatMs(health.p95_ms)),
    sortBy: ({ health }) => health?.p95_ms ?? null,
  },
  {
    name: "Last accepted",
    place: "detail",
    isWide: true,
    cell: ({ last_success_at }) => <Ago at={last_success_at} />,
    sortBy: ({ last_success_at }) => last_success_at,
  },
];

/** All webhooks with their last 24 hours: broken ones first, then those with the most traffic. */
export function WebhookList({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { site } = useConsole();
  const { present, removed, reload } = useWebhooks();
  const creation = useAskedDialog(query["create"] === "webhook", ["create", "event"]);
  const { key_id: keyId } = query;
  const isShown = ({ project_id, created_by }: ListedConsoleWebhook): boolean =>
    (site === undefined || [null, site].includes(project_id)) &&
    (keyId === undefined || created_by.key_id === keyId);
  const rows = present.rows?.filter(isShown);
  const removedRows = removed.rows?.filter(isShown);
  const isRemoved = query["view"] === "removed";
  const view = views.find(({ name }) => name === (query["view"] ?? "")) ?? views[0];
  const attention = useAttention();
  const isIn =
    ({ includes }: View) =>
    (webhook: ListedConsoleWebhook): boolean =>
      includes(webhook, attention);
  const inView = rows?.filter(isIn(view));
  const { sort } = query;
  const sorted = inView && sortRows(inView, [nameColumn(), ...dataColumns], sort);
  const grouped = groupByUrl(inView && sortWebhooks(inView, attention));
  // In another order, the webhooks of a URL do not follow one another.
  const { shown, shared } = sorted === undefined ? grouped : { shown: sorted, shared: noUrls };
  const titles = useMemo(() => findSharedTitles(rows ?? []), [rows]);
  // Without ids, all would be exported.
  const listed = (isRemoved ? removedRows : shown) ?? [];
  const sharedText = [...shared].join(" ");
  const { selection, selected, clear } = useSelection(shown ?? [], `${site} ${query["view"]}`);
  const [tested, setTested] = useState<Tested>();
  const columns = useMemo(
    () => [nameColumn(shared), ...dataColumns, menuColumn(setTested, reload)],
    [reload, sharedText],
  );
  return (
    <SharedTitles value={titles}>
      <ScreenHeader title="Webhooks">
        <ExportMenu
          disabled={listed.length === 0}
          path={toPath("webhooks", "export")}
          name="webhooks"
          query={{
            project_id: site,
            status: isRemoved ? "removed" : undefined,
            ids:
              keyId === undefined && (isRemoved || view === views[0])
                ? undefined
                : listed.map(({ id }) => id).join(","),
          }}
        />
        <Button kind="primary" changes onClick={creation.open}>
          Create webhook
        </Button>
      </ScreenHeader>
      <Tabs
        label="Views"
        tabs={[
          ...views.map((each) => ({
            title: each.title,
            href: hrefTo(["webhooks"], { view: each.name, key_id: keyId }),
            isCurrent: !isRemoved && each === view,
            count: rows?.filter(isIn(each)).length,
          })),
          {
            title: "Removed",
            href: hrefTo(["webhooks"], { view: "removed", key_id: keyId }),
            isCurrent: isRemoved,
            count: removedRows?.length,
          },
        ]}
      />
      {keyId === undefined ? null : (
        <p class="quiet">
          Only webhooks that one API key created. <a href={hrefTo(["webhooks"])}>Show all</a>
        </p>
      )}
      {isRemoved ? (
        <PagedTable
          caption="Removed webhooks, newest first"
          columns={removedColumns}
          pages={{ ...removed, rows: removedRows }}
          empty={<p>No webhook was removed in the last 30 days.</p>}
        />
      ) : (
        <>
          <WebhookBulkBar selected={selected} onClear={clear} onChanged={reload} />
          <PagedTable
            caption={sorted === undefined ? "Webhooks, broken ones first" : "Webhooks"}
            sort={sort}
            columns={columns}
            pages={{ ...present, rows: shown }}
            selection={selection}
            headingOf={({ target_url }) => (shared.has(target_url) ? target_url : undefined)}
            renderHeading={(url) => <Endpoint url={url} />}
            empty={
              rows?.length === 0 ? (
                <>
                  <h2>No webhooks yet</h2>
                  <p>A webhook sends an event, such as a new order, to your URL as soon as it happens.</p>
                </>
              ) : (
                <p>None.</p>
              )
            }
          />
        </>
      )}
      {creation.isOpen ? (
        <CreateWebhookDialog event={query["event"]} onClose={creation.close} onCreated={reload} />
      ) : null}
      {tested === undefined ? null : <TestDrawer {...tested} onClose={() => setTested(undefined)} />}
    </SharedTitles>
  );
}

const noUrls: ReadonlySet<string> = new Set();

/** Webhooks of one URL follow one another, where the first of them is. */
function groupByUrl(webhooks: readonly ListedConsoleWebhook[] | undefined): {
  readonly shown: readonly ListedConsoleWebhook[] | undefined;
  /** The URLs of several webhooks. */
  readonly shared: ReadonlySet<string>;
} {
  const groups = [...Map.groupBy(webhooks ?? [], ({ target_url }) => target_url)];
  return {
    shown: webhooks && groups.flatMap(([, group]) => group),
    shared: new Set(groups.flatMap(([url, group]) => (group.length > 1 ? [url] : []))),
  };
}

function menuColumn(onTested: (tested: Tested) => void, onChanged: () => void): Column<ListedConsoleWebhook> {
  return {
    name: "Actions",
    kind: "actions-cell",
    place: "menu",
    cell: (webhook) => <WebhookMenu webhook={webhook} onTested={onTested} onChanged={onChanged} />,
  };
}

/** The webhooks, and those that were removed. Both change by themselves. */
function useWebhooks() {
  const present = usePages<ListedConsoleWebhook>(
    toPath("webhooks"),
    { include: "health", limit: "100" },
    { rowOf: (change) => (change.type === "webhook" ? change.row : undefined), mayBeNew: () => true },
  );
  const removed = usePages<ListedConsoleWebhook>(toPath("webhooks"), { status: "removed", limit: "100" });
  const reload = useCallback(() => {
    present.reload();
    removed.reload();
  }, [present.reload, removed.reload]);
  useLiveReload(reload, (change) => change.type === "webhook" && change.row.status === "removed");
  return { present, removed, reload };
}

const removedColumns: readonly Column<ListedConsoleWebhook>[] = [
  nameColumn(),
  eventsColumn,
  siteColumn,
  { name: "Removed", place: "detail", cell: ({ removed_at }) => <Time at={removed_at} none="–" /> },
  {
    name: "Why",
    kind: "text",
    place: "detail",
    cell: ({ status_reason }) => (status_reason === null ? "–" : removalReasons[status_reason]),
  },
  {
    name: "Deliveries",
    place: "mark",
    cell: ({ id }) => <a href={hrefTo(["deliveries"], { webhook_id: id, period: "30d" })}>Show</a>,
  },
];
