import type { DeliveryDetail, RelatedDelivery } from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import { Answer, DeliveryStatus, Endpoint, SharedTitles } from "../../parts/cells.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { FailureNote } from "../../parts/page.tsx";
import { findSharedTitles } from "../../parts/tell-apart.ts";
import { Time } from "../../parts/time.tsx";
import { hrefTo } from "../../state/route.ts";
import { useRows } from "../../state/use-api.ts";
import { useLiveReload } from "../../state/use-live.ts";

/** The same event at other webhooks, what this delivery sends again, and what sent it again. Nothing if there is none. */
export function RelatedDeliveries({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { id, body_id } = delivery;
  const related = useRows<RelatedDelivery>(toPath("deliveries", id, "related"));
  const { data = [], failure, reload, refresh } = related;
  useLiveReload(refresh, (change) => change.type === "delivery" && change.row.body_id === body_id, 1_000);
  if (data.length === 0) return <FailureNote failure={failure} onRetry={reload} />;
  const endpoints = data.map(({ target_url, webhook_name: name }) => ({ target_url, name }));
  return (
    <section>
      <h2>Other deliveries of this event</h2>
      <SharedTitles value={findSharedTitles(endpoints)}>
        <DataTable
          caption="Other deliveries of this event, newest first"
          columns={[
            {
              name: "Delivery",
              kind: "record",
              place: "title",
              cell: (row) => (
                <a class="row-link" href={hrefTo(["deliveries", row.id])}>
                  {nameRelation(delivery, row)}
                </a>
              ),
            },
            {
              name: "Status",
              place: "mark",
              cell: (row) => <DeliveryStatus delivery={row} />,
            },
            {
              name: "Webhook",
              kind: "url",
              place: "detail",
              cell: (row) => <Endpoint url={row.target_url} name={row.webhook_name} />,
            },
            {
              name: "Answer",
              place: "detail",
              cell: (row) => <Answer status={row.last_status} error={row.last_error} />,
            },
            { name: "Created", place: "detail", cell: (row) => <Time at={row.created_at} /> },
          ]}
          rows={data}
          keyOf={(row) => row.id}
        />
      </SharedTitles>
    </section>
  );
}

/** What another delivery of the same event is to the one that is shown. */
function nameRelation(shown: DeliveryDetail, { id, kind, webhook_id, resent_from }: RelatedDelivery): string {
  if (id === shown.resent_from) return "Sent first";
  if (resent_from === shown.id) return "Sent again";
  if (kind === "test") return "Test";
  if (webhook_id !== shown.webhook_id) return kind === "resend" ? "Resend, other webhook" : "Other webhook";
  return kind === "resend" ? "Other resend" : "Same webhook";
}
