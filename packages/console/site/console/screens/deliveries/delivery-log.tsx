import type { ConsoleWebhook, DeliveryCounts, Overview } from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import { DeliveriesChart } from "../../charts/count-charts.tsx";
import { ExportButtons } from "../../parts/export-buttons.tsx";
import { FilterMenu, PeriodPicker, SearchField } from "../../parts/fields.tsx";
import { formatCounted } from "../../parts/format.ts";
import { ScreenHeader, Tabs } from "../../parts/page.tsx";
import { describeEvents } from "../../parts/webhook-events.ts";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo, replaceQuery } from "../../state/route.ts";
import { useGet, useRows } from "../../state/use-api.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { DeliveryTable, toDeliveryQuery } from "./delivery-table.tsx";

/** The delivery log. Its filters are in the address, so that a user can bookmark and share a search. */
export function DeliveryLog({ query: address }: { readonly query: Readonly<Record<string, string>> }) {
  const query = toDeliveryQuery(address);
  return (
    <>
      <ScreenHeader title="Deliveries">
        <PeriodPicker />
        <a class="button" href={hrefTo(["deliveries", "resends"])}>
          Resends
        </a>
      </ScreenHeader>
      <StatusTabs query={query} />
      {isCounted(query) ? <Histogram webhookId={query["webhook_id"]} /> : null}
      <div class="filter-line">
        <SearchField
          label="Record, order number, e-mail, URL or id"
          text={query["q"] ?? ""}
          onSearch={(q) => replaceQuery({ q })}
        />
        <FilterBar query={query} />
        <ExportButtons path={toPath("deliveries", "export")} name="deliveries" query={query} />
      </div>
      {query["webhook_id"] ? <UnknownWebhook id={query["webhook_id"]} /> : null}
      <DeliveryTable query={query} />
    </>
  );
}

/** The list of a webhook that does not exist is empty. This says why. */
function UnknownWebhook({ id }: { readonly id: string }) {
  const { failure } = useGet<ConsoleWebhook>(toPath("webhooks", id));
  if (failure?.code !== "resource_not_found") return null;
  return (
    <p class="note warn">
      This account has no webhook <code>{id}</code>, now or in the last 30 days.{" "}
      <a href={hrefTo(["deliveries"])}>Show the deliveries of all webhooks</a>
    </p>
  );
}

/** The histogram counts all statuses, and narrows the time. Other filters would make it contradict the list. */
const allowed: ReadonlySet<string> = new Set(["webhook_id", "status", "since", "until"]);

function isCounted(query: Query): boolean {
  return Object.entries(query).every(([name, value]) => !value || allowed.has(name));
}

/** When deliveries ended. A click or a drag narrows the list to a time. */
function Histogram({ webhookId }: { readonly webhookId: string | undefined }) {
  const { period } = useConsole();
  const { data, reload } = useGet<Overview>(toPath("overview"), { period, webhook_id: webhookId });
  useLiveReload(reload, (change) => change.type === "delivery", 5_000);
  // The list works without it, and shows what is wrong.
  if (data === undefined) return null;
  return (
    <div class="histogram">
      <DeliveriesChart overview={data} onChoose={(since, until) => replaceQuery({ since, until })} />
    </div>
  );
}

const kinds = ["event", "resend", "test"];
const errors = ["timeout", "dns", "blocked_address", "connect", "tls", "reset", "protocol", "status"];
const statuses = ["400", "401", "403", "404", "405", "410", "413", "429", "500", "502", "503", "504"];

/** The filters of the delivery log. The status and the site have their own controls. */
function FilterBar({ query }: { readonly query: Query }) {
  const { eventTypes } = useConsole();
  const webhooks = useRows<ConsoleWebhook>(toPath("webhooks"), { limit: "100" }).data ?? [];
  const same = (values: readonly string[]) => values.map((value) => [value, value] as const);
  return (
    <FilterMenu
      query={query}
      filters={[
        { name: "event", title: "Event", choices: same(eventTypes.map(({ event }) => event)) },
        {
          name: "webhook_id",
          title: "Webhook",
          choices: webhooks.map((webhook) => [
            webhook.id,
            `${webhook.target_url} (${describeEvents(webhook)})`,
          ]),
        },
        { name: "kind", title: "Kind", choices: same(kinds) },
        { name: "http_status", title: "HTTP status", choices: same(statuses) },
        { name: "error", title: "Error", choices: same(errors) },
        { name: "attempts_min", title: "Attempts at least", choices: same(["1", "2", "3", "4", "5", "6"]) },
      ]}
    />
  );
}

const tabs = [
  ["", "All", "all"],
  ["delivered", "Delivered", "delivered"],
  ["pending", "Pending", "pending"],
  ["failed", "Failed", "failed"],
  ["cancelled", "Cancelled", "cancelled"],
] as const;

/** The statuses of deliveries, with their numbers under the other filters. */
function StatusTabs({ query }: { readonly query: Query }) {
  const { status = "", project_id, ...filters } = query;
  const { data, reload } = useGet<DeliveryCounts>(toPath("deliveries", "counts"), { ...filters, project_id });
  useLiveReload(reload, (change) => change.type === "delivery");
  return (
    <Tabs
      label="Status"
      tabs={tabs.map(([value, title, name]) => ({
        title,
        href: hrefTo(["deliveries"], { ...filters, status: value }),
        isCurrent: status === value,
        count: data && formatCounted(data[name]),
      }))}
    />
  );
}
