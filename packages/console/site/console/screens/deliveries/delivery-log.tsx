import type { ConsoleWebhook, Issue } from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import { ExportButtons } from "../../parts/export-buttons.tsx";
import { FilterMenu, SearchField } from "../../parts/fields.tsx";
import { ScreenHeader } from "../../parts/page.tsx";
import { describeEvents } from "../../parts/webhook-events.ts";
import { useConsole } from "../../state/console-context.ts";
import { withTimes } from "../../state/ledger.ts";
import { hrefTo, replaceQuery } from "../../state/route.ts";
import { useGet, useRows } from "../../state/use-api.ts";
import { DeliveryList } from "./delivery-list.tsx";
import { toDeliveryQuery } from "./delivery-table.tsx";

const here = { segments: ["deliveries"], query: {} };

/** The delivery log. Its filters are in the address, so that a user can bookmark and share a search. */
export function DeliveryLog({ query: address }: { readonly query: Readonly<Record<string, string>> }) {
  const query = toDeliveryQuery(address);
  return (
    <>
      <ScreenHeader title="Deliveries">
        <a class="button" href={hrefTo(["deliveries", "resends"])}>
          Resends
        </a>
      </ScreenHeader>
      {query["webhook_id"] ? <UnknownWebhook id={query["webhook_id"]} /> : null}
      <DeliveryList query={query} place={here}>
        <SearchField
          label="Record, order number, e-mail, URL or id"
          text={query["q"] ?? ""}
          onSearch={(q) => replaceQuery({ q })}
        />
        <FilterBar query={query} />
        {query["outcome"] === "not_sent" ? null : (
          <ExportButtons path={toPath("deliveries", "export")} name="deliveries" query={withTimes(query)} />
        )}
      </DeliveryList>
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

const kinds = ["event", "resend", "test"];
const errors = ["timeout", "dns", "blocked_address", "connect", "tls", "reset", "protocol", "status"];
const statuses = ["400", "401", "403", "404", "405", "410", "413", "429", "500", "502", "503", "504"];

/** The filters of the delivery log. The status and the site have their own controls. */
function FilterBar({ query }: { readonly query: Query }) {
  const { eventTypes } = useConsole();
  const webhooks = useRows<ConsoleWebhook>(toPath("webhooks"), { limit: "100" }).data ?? [];
  const issues = useGet<readonly Issue[]>(query["issue"] && toPath("issues"), {
    webhook_id: query["webhook_id"],
  }).data;
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
        {
          name: "issue",
          title: "Issue",
          choices: issues?.map(({ id, http_status, error, response }) => [
            id,
            `${http_status ?? error ?? "others"} ${response ?? ""}`,
          ]),
        },
        { name: "attempts_min", title: "Attempts at least", choices: same(["1", "2", "3", "4", "5", "6"]) },
      ]}
    />
  );
}
