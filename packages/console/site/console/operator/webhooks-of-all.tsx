import type { HostWebhook } from "@hookwright/domain";
import type { Query } from "../api/console-api.ts";
import { formatCounted } from "../parts/format.ts";
import { ScreenHeader, Tabs } from "../parts/page.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { Ago } from "../parts/time.tsx";
import { hrefTo } from "../state/route.ts";
import { usePages } from "../state/use-pages.ts";
import { AccountLink } from "./account-status.tsx";
import { webhookActions, webhookColumns } from "./webhook-columns.tsx";

/** The tab whose webhooks are sorted by their waiting deliveries, of any status. */
const waiting = "waiting";

const views = [
  ["switched_off", "Disabled"],
  ["disabled_by_host", "Disabled by the operator"],
  ["paused", "Paused"],
  ["active", "Active"],
  [waiting, "Most waiting"],
] as const;

/** The webhooks of all accounts. First those that were switched off. */
export function WebhooksOfAll({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { status: view = "switched_off" } = query;
  const chosen: Query = view === waiting ? { sort: waiting } : { status: view };
  const pages = usePages<HostWebhook>("host/v1/webhooks", { limit: "50", ...chosen });
  return (
    <>
      <ScreenHeader title="Webhooks of all accounts" />
      <Tabs
        label="Status"
        tabs={views.map(([value, title]) => ({
          title,
          href: hrefTo(["operator", "webhooks"], { status: value }),
          isCurrent: view === value,
        }))}
      />
      <PagedTable
        caption={view === waiting ? "Webhooks, most waiting deliveries first" : "Webhooks, by account"}
        columns={[
          ...webhookColumns,
          {
            name: "Account",
            kind: "name",
            place: "detail",
            cell: ({ account_id }) => <AccountLink id={account_id} />,
          },
          {
            name: "Deliveries",
            place: "detail",
            cell: ({ waiting: count }) => `${formatCounted(count)} waiting`,
          },
          {
            name: "Due since",
            isWide: true,
            cell: ({ oldest_due_at }) => <Ago at={oldest_due_at} none="not due" />,
          },
          {
            name: "Since",
            cell: ({ status_changed_at, created_at }) => <Ago at={status_changed_at ?? created_at} />,
          },
          webhookActions(pages.reload),
        ]}
        pages={pages}
        empty={<p>{view === waiting ? "Nothing waits." : "No such webhooks."}</p>}
      />
    </>
  );
}
