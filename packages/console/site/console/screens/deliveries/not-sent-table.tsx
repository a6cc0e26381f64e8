import type { ConsoleWebhook, Ledger, LedgerNumbers } from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import { WebhookEvents, WebhookLink, WebhookStatus } from "../../parts/cells.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { formatCount } from "../../parts/format.ts";
import { Pending } from "../../parts/page.tsx";
import { hrefTo } from "../../state/route.ts";
import { useRows } from "../../state/use-api.ts";
import type { Resource } from "../../state/use-api.ts";

interface Row extends LedgerNumbers {
  readonly webhook_id: string;
  /** Undefined: it was removed. */
  readonly webhook: ConsoleWebhook | undefined;
}

/** The webhooks that did not send events, because they were paused or disabled, and where these can be sent. */
export function NotSentTable({ ledger }: { readonly ledger: Resource<Ledger> }) {
  const webhooks = useRows<ConsoleWebhook>(toPath("webhooks"), { limit: "100" });
  if (ledger.data === undefined) return <Pending of={ledger} rem={24} />;
  const { since, webhooks: counted = [] } = ledger.data;
  const rows: readonly Row[] = counted
    .filter(({ not_sent }) => not_sent > 0)
    .toSorted((one, other) => other.not_sent - one.not_sent)
    .map((numbers) => ({ ...numbers, webhook: webhooks.data?.find(({ id }) => id === numbers.webhook_id) }));
  if (rows.length === 0) return <p>Every event of this time was sent.</p>;
  const columns: readonly Column<Row>[] = [
    {
      name: "Webhook",
      kind: "url",
      place: "title",
      cell: ({ webhook, webhook_id }) =>
        webhook === undefined ? <code>{webhook_id}</code> : <WebhookLink webhook={webhook} isRow />,
    },
    {
      name: "Event",
      place: "detail",
      cell: ({ webhook }) => (webhook === undefined ? null : <WebhookEvents webhook={webhook} />),
    },
    {
      name: "Status",
      place: "mark",
      cell: ({ webhook }) => (webhook === undefined ? "Removed" : <WebhookStatus webhook={webhook} />),
    },
    {
      name: "Not sent",
      kind: "number",
      place: "detail",
      cell: ({ not_sent }) => `${formatCount(not_sent)} ${not_sent === 1 ? "event" : "events"}`,
    },
    {
      name: "Action",
      place: "menu",
      cell: ({ webhook }) =>
        webhook === undefined ? null : (
          <a class="button" href={hrefTo(["webhooks", webhook.id], { do: "recover", since })}>
            Recover …
          </a>
        ),
    },
  ];
  return (
    <>
      <p class="quiet">
        These events were published while their webhook was paused or disabled. Only a recovery sends them.
      </p>
      <DataTable
        caption="Webhooks that did not send events, most first"
        columns={columns}
        rows={rows}
        keyOf={({ webhook_id }) => webhook_id}
      />
    </>
  );
}
