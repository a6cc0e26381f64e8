import type { ListedConsoleWebhook } from "@hookwright/domain";
import type { Column } from "../../parts/data-table.tsx";
import { Endpoint } from "../../parts/endpoint.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { SiteName } from "../../parts/site-name.tsx";
import { Time } from "../../parts/time.tsx";
import type { Pages } from "../../state/use-pages.ts";
import { hrefTo } from "../../state/use-route.ts";
import { removalReasons } from "./removal-reasons.ts";

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
