import type { Delivery } from "@hookwright/domain";
import type { Query } from "../api/console-api.ts";
import { Badge } from "../parts/badge.tsx";
import type { Column } from "../parts/data-table.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { Time } from "../parts/time.tsx";
import { usePages } from "../state/use-pages.ts";
import { hrefTo } from "../state/use-route.ts";

/** The deliveries that match a query, newest first. */
export function DeliveryTable({
  query,
  withWebhook = true,
}: {
  readonly query: Query;
  readonly withWebhook?: boolean;
}) {
  const pages = usePages<Delivery>("console/api/deliveries", query);
  const columns: readonly Column<Delivery>[] = [
    {
      name: "Record",
      kind: "record",
      place: "title",
      cell: ({ id, record_id, kind }) => (
        <>
          <a href={hrefTo(["deliveries", id])}>{record_id}</a>
          {kind === "event" ? null : <span class="badge kind">{kind}</span>}
        </>
      ),
    },
    { name: "Event", cell: ({ event }) => <code>{event}</code> },
    {
      name: "URL",
      kind: "url",
      cell: ({ target_url }) => (
        <span class="cut" title={target_url}>
          {target_url}
        </span>
      ),
    },
    { name: "State", place: "mark", cell: ({ status }) => <Badge state={status} /> },
    { name: "Attempts", kind: "number", cell: ({ attempts_made }) => attempts_made },
    { name: "Created", cell: ({ created_at }) => <Time at={created_at} /> },
    { name: "Next attempt", cell: ({ next_attempt_at }) => <Time at={next_attempt_at} none="–" /> },
  ];
  return (
    <PagedTable
      caption="Deliveries, newest first"
      columns={withWebhook ? columns : columns.filter(({ name }) => name !== "URL")}
      pages={pages}
      empty={
        <p>
          {withWebhook && Object.values(query).some(Boolean)
            ? "No matching deliveries."
            : "No deliveries yet."}
        </p>
      }
    />
  );
}
