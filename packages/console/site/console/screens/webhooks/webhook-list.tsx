import type { ListedConsoleWebhook } from "@hookwright/domain";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { HealthStrip } from "../../charts/small-charts.tsx";
import { Button } from "../../parts/buttons.tsx";
import { Endpoint, SiteName, WebhookStatus } from "../../parts/cells.tsx";
import { useSelection } from "../../parts/data-table.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { formatDuration, formatShare } from "../../parts/format.ts";
import { ScreenHeader } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Ago, Time } from "../../parts/time.tsx";
import { useAttention } from "../../state/attention.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo, replaceQuery, useTitle } from "../../state/route.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { usePages } from "../../state/use-pages.ts";
import type { Pages } from "../../state/use-pages.ts";
import { WebhookBulkBar } from "./bulk-actions.tsx";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";
import { AskedAction, WebhookMenu } from "./webhook-actions.tsx";
import type { Asked } from "./webhook-actions.tsx";
import { removalReasons } from "./webhook-banner.tsx";
import { sortWebhooks, webhookViews } from "./webhook-views.ts";
import type { WebhookView } from "./webhook-views.ts";

const dataColumns: readonly Column<ListedConsoleWebhook>[] = [
  {
    name: "Webhook",
    kind: "url",
    place: "title",
    cell: ({ id, target_url, name }) => (
      <a class="row-link" href={hrefTo(["webhooks", id])}>
        <Endpoint url={target_url} name={name} />
      </a>
    ),
  },
  { name: "Event", place: "detail", cell: ({ event }) => <code>{event}</code> },
  { name: "Site", kind: "name", isWide: true, cell: ({ project_id }) => <SiteName id={project_id} /> },
  { name: "Status", place: "mark", cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  {
    name: "Last 24 hours",
    cell: ({ health }) => (health === undefined ? null : <HealthStrip health={health} />),
  },
  {
    name: "Success",
    kind: "number",
    place: "detail",
    cell: ({ health }) => formatShare(health?.success_rate ?? null),
  },
  {
    name: "p95",
    kind: "number",
    isWide: true,
    cell: ({ health }) =>
      health?.p95_ms === null || health === undefined ? "–" : formatDuration(health.p95_ms),
  },
  {
    name: "Last accepted",
    place: "detail",
    isWide: true,
    cell: ({ last_success_at }) => <Ago at={last_success_at} />,
  },
];

/** All webhooks with their last 24 hours: broken ones first, then those with the most traffic. */
export function WebhookList({ query }: { readonly query: Readonly<Record<string, string>> }) {
  useTitle("Webhooks");
  const { site } = useConsole();
  const { present, removed, reload } = useWebhooks();
  const isOfSite = ({ project_id }: ListedConsoleWebhook): boolean =>
    site === undefined || [null, site].includes(project_id);
  const rows = present.rows?.filter(isOfSite);
  const removedRows = removed.rows?.filter(isOfSite);
  const isRemoved = query["view"] === "removed";
  const view = webhookViews.find(({ name }) => name === (query["view"] ?? "")) ?? webhookViews[0];
  const attention = useAttention();
  const isIn =
    ({ includes }: WebhookView) =>
    (webhook: ListedConsoleWebhook): boolean =>
      includes(webhook, attention);
  const shown = rows && sortWebhooks(rows.filter(isIn(view)), attention);
  const { selection, selected, clear } = useSelection(shown ?? [], `${site} ${query["view"]}`);
  const [asked, setAsked] = useState<Asked>();
  const columns = useMemo(() => [...dataColumns, menuColumn(setAsked, reload)], [reload]);
  return (
    <>
      <ScreenWithCreation query={query} onCreated={reload} />
      <nav class="tabs" aria-label="Views">
        {webhookViews.map((each) => (
          <Tab
            key={each.name}
            name={each.name}
            title={each.title}
            count={rows?.filter(isIn(each)).length}
            isCurrent={!isRemoved && each === view}
          />
        ))}
        <Tab name="removed" title="Removed" count={removedRows?.length} isCurrent={isRemoved} />
      </nav>
      {isRemoved ? (
        <RemovedWebhooks pages={{ ...removed, rows: removedRows }} />
      ) : (
        <>
          <WebhookBulkBar selected={selected} onClear={clear} onChanged={reload} />
          <PagedTable
            caption="Webhooks, broken ones first"
            columns={columns}
            pages={{ ...present, rows: shown }}
            selection={selection}
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
      {asked === undefined ? null : (
        <AskedAction asked={asked} onChanged={reload} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

function menuColumn(onAsk: (asked: Asked) => void, onChanged: () => void): Column<ListedConsoleWebhook> {
  return {
    name: "Actions",
    kind: "actions-cell",
    place: "menu",
    cell: (webhook) => <WebhookMenu webhook={webhook} onAsk={onAsk} onChanged={onChanged} />,
  };
}

interface TabProps {
  readonly name: string;
  readonly title: string;
  readonly count: number | undefined;
  readonly isCurrent: boolean;
}

function Tab({ name, title, count, isCurrent }: TabProps) {
  return (
    <a href={hrefTo(["webhooks"], { view: name })} aria-current={isCurrent ? "page" : undefined}>
      {title} {count === undefined ? null : <span class="count">{count}</span>}
    </a>
  );
}

/** The webhooks, and those that were removed. Both change by themselves. */
function useWebhooks() {
  const present = usePages<ListedConsoleWebhook>(
    "console/api/webhooks",
    { include: "health", limit: "100" },
    { rowOf: (change) => (change.type === "webhook" ? change.row : undefined), mayBeNew: () => true },
  );
  const removed = usePages<ListedConsoleWebhook>("console/api/webhooks", { status: "removed", limit: "100" });
  const reload = useCallback(() => {
    present.reload();
    removed.reload();
  }, [present.reload, removed.reload]);
  useLiveReload(reload, (change) => change.type === "webhook" && change.row.status === "removed");
  return { present, removed, reload };
}

interface ScreenWithCreationProps {
  readonly query: Readonly<Record<string, string>>;
  readonly onCreated: () => void;
}

/** The head of the screen, and the dialog that creates a webhook. */
function ScreenWithCreation({ query, onCreated }: ScreenWithCreationProps) {
  const isAsked = query["create"] === "webhook";
  const [creating, setCreating] = useState(isAsked);
  useEffect(() => setCreating(isAsked), [isAsked]);
  const close = (): void => {
    setCreating(false);
    if (isAsked) replaceQuery({ create: "", event: "" });
  };
  return (
    <>
      <ScreenHeader title="Webhooks">
        <Button kind="primary" changes onClick={() => setCreating(true)}>
          Create webhook
        </Button>
      </ScreenHeader>
      {creating ? <CreateWebhookDialog event={query["event"]} onClose={close} onCreated={onCreated} /> : null}
    </>
  );
}

const columns: readonly Column<ListedConsoleWebhook>[] = [
  {
    name: "Webhook",
    kind: "url",
    place: "title",
    cell: ({ id, target_url, name }) => (
      <a class="row-link" href={hrefTo(["webhooks", id])}>
        <Endpoint url={target_url} name={name} />
      </a>
    ),
  },
  { name: "Event", cell: ({ event }) => <code>{event}</code> },
  { name: "Site", kind: "name", isWide: true, cell: ({ project_id }) => <SiteName id={project_id} /> },
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
    cell: ({ id }) => <a href={hrefTo(["deliveries"], { webhook_id: id })}>Show</a>,
  },
];

/** The webhooks that were removed in the last 30 days: when, why, and what they had sent. */
export function RemovedWebhooks({ pages }: { readonly pages: Pages<ListedConsoleWebhook> }) {
  return (
    <PagedTable
      caption="Removed webhooks, newest first"
      columns={columns}
      pages={pages}
      empty={<p>No webhook was removed in the last 30 days.</p>}
    />
  );
}
