import type { Delivery } from "@hookwright/domain";
import type { Query } from "../api/console-api.ts";
import { Badge } from "../parts/badge.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { Time } from "../parts/time.tsx";
import { usePages } from "../state/use-pages.ts";
import { hrefTo } from "../state/use-route.ts";

/** Deliveries that match a query, newest first. */
export function DeliveryTable({
  query,
  withWebhook = true,
}: {
  readonly query: Query;
  readonly withWebhook?: boolean;
}) {
  const pages = usePages<Delivery>("console/api/deliveries", query);
  return (
    <PagedTable
      caption="Deliveries, newest first"
      columns={[
        "Record",
        "Event",
        ...(withWebhook ? ["URL"] : []),
        "State",
        "Attempts",
        "Created",
        "Next try",
      ]}
      pages={pages}
      empty={
        <p>{withWebhook && Object.values(query).some(Boolean) ? "No delivery matches." : "Nothing yet."}</p>
      }
      row={({
        id,
        record_id,
        event,
        target_url,
        status,
        kind,
        attempts_made,
        created_at,
        next_attempt_at,
      }) => (
        <tr key={id}>
          <td class="record">
            <a href={hrefTo(["deliveries", id])}>{record_id}</a>
            {kind === "event" ? null : <span class="badge kind">{kind}</span>}
          </td>
          <td>
            <code>{event}</code>
          </td>
          {withWebhook ? <td class="url">{target_url}</td> : null}
          <td>
            <Badge state={status} />
          </td>
          <td class="number">{attempts_made}</td>
          <td>
            <Time at={created_at} />
          </td>
          <td>
            <Time at={next_attempt_at} none="–" />
          </td>
        </tr>
      )}
    />
  );
}
