import type { ListedConsoleWebhook } from "@hookwright/domain";
import { useEffect, useState } from "preact/hooks";
import { HealthStrip } from "../../charts/health-strip.tsx";
import { formatShare } from "../../charts/scales.ts";
import { Button } from "../../parts/button.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { Endpoint } from "../../parts/endpoint.tsx";
import { formatDuration } from "../../parts/format-duration.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { ScreenHeader } from "../../parts/screen-header.tsx";
import { SiteName } from "../../parts/site-name.tsx";
import { WebhookStatus } from "../../parts/status.tsx";
import { Ago } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { usePages } from "../../state/use-pages.ts";
import { hrefTo, replaceQuery } from "../../state/use-route.ts";
import { useTitle } from "../../state/use-title.ts";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";
import { sortWebhooks, webhookViews } from "./webhook-views.ts";

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
    name: "Consecutive failures",
    kind: "number",
    isWide: true,
    cell: ({ consecutive_failures }) => consecutive_failures,
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
  const pages = usePages<ListedConsoleWebhook>(
    "console/api/webhooks",
    { include: "health", limit: "100" },
    { rowOf: (change) => (change.type === "webhook" ? change.row : undefined), mayBeNew: () => true },
  );
  const isAsked = query["create"] === "webhook";
  const [creating, setCreating] = useState(isAsked);
  useEffect(() => setCreating(isAsked), [isAsked]);
  const close = (): void => {
    setCreating(false);
    if (isAsked) replaceQuery({ create: "", event: "" });
  };
  const rows = pages.rows?.filter(
    ({ project_id }) => site === undefined || [null, site].includes(project_id),
  );
  const view = webhookViews.find(({ name }) => name === (query["view"] ?? "")) ?? webhookViews[0];
  const shown = rows?.filter(view.includes);
  return (
    <>
      <ScreenHeader title="Webhooks">
        <Button kind="primary" changes onClick={() => setCreating(true)}>
          Create webhook
        </Button>
      </ScreenHeader>
      <nav class="tabs" aria-label="Views">
        {webhookViews.map(({ name, title, includes }) => (
          <a
            key={name}
            href={hrefTo(["webhooks"], { view: name })}
            aria-current={name === view.name ? "page" : undefined}
          >
            {title} {rows === undefined ? null : <span class="count">{rows.filter(includes).length}</span>}
          </a>
        ))}
      </nav>
      <PagedTable
        caption="Webhooks, broken ones first"
        columns={columns}
        pages={{ ...pages, rows: shown === undefined ? undefined : sortWebhooks(shown) }}
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
      {creating ? (
        <CreateWebhookDialog event={query["event"]} onClose={close} onCreated={pages.reload} />
      ) : null}
    </>
  );
}
