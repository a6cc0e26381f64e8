import type { HostWebhook } from "@hookwright/domain";
import { PagedTable } from "../parts/paged-table.tsx";
import { ScreenHeader } from "../parts/screen-header.tsx";
import { WebhookStatus } from "../parts/status.tsx";
import { Ago } from "../parts/time.tsx";
import { usePages } from "../state/use-pages.ts";
import { hrefTo } from "../state/use-route.ts";
import { useTitle } from "../state/use-title.ts";
import { OpenAccount } from "./open-account.tsx";

const statuses = [
  ["switched_off", "Disabled"],
  ["disabled_by_host", "Disabled by the operator"],
  ["paused", "Paused"],
  ["active", "Active"],
] as const;

/** The webhooks of all accounts. First those that were switched off. */
export function WebhooksOfAll({ query }: { readonly query: Readonly<Record<string, string>> }) {
  useTitle("Webhooks of all accounts");
  const { status = "switched_off" } = query;
  const pages = usePages<HostWebhook>("host/v1/webhooks", { limit: "50", status });
  return (
    <>
      <ScreenHeader title="Webhooks of all accounts" />
      <nav class="tabs" aria-label="Status">
        {statuses.map(([value, title]) => (
          <a
            key={value}
            href={hrefTo(["operator", "webhooks"], { status: value })}
            aria-current={status === value ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <PagedTable
        caption="Webhooks, by account"
        columns={[
          { name: "Status", place: "mark", cell: (webhook) => <WebhookStatus webhook={webhook} /> },
          {
            name: "Webhook",
            kind: "url",
            place: "title",
            cell: ({ target_url, event }) => (
              <>
                <bdi>{target_url}</bdi> <code>{event}</code>
              </>
            ),
          },
          {
            name: "Account",
            kind: "name",
            place: "detail",
            cell: ({ account_id }) => <code>{account_id}</code>,
          },
          { name: "Since", cell: ({ status_changed_at }) => <Ago at={status_changed_at} /> },
          {
            name: "Console",
            place: "detail",
            cell: ({ account_id }) => <OpenAccount accountId={account_id} />,
          },
        ]}
        pages={pages}
        empty={<p>No such webhooks.</p>}
      />
    </>
  );
}
