import type { ConsoleWebhook } from "@hookwright/domain";
import type { Query } from "../../api/console-api.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";

const kinds = ["event", "resend", "test"];
const errors = ["timeout", "dns", "blocked_address", "connect", "tls", "reset", "protocol", "status"];
const statuses = ["400", "401", "403", "404", "405", "410", "413", "429", "500", "502", "503", "504"];

/** The filters of the delivery log. The status and the site have their own controls. */
export function FilterBar({ query }: { readonly query: Query }) {
  const { api, eventTypes } = useConsole();
  const webhooks =
    useResource("every webhook", (signal) =>
      api.list<ConsoleWebhook>("console/api/webhooks", { query: { limit: "100" }, signal }),
    ).data?.rows ?? [];
  const same = (values: readonly string[]) => values.map((value) => [value, value] as const);
  return (
    <FilterMenu
      query={query}
      filters={[
        { name: "event", title: "Event", choices: same(eventTypes.map(({ event }) => event)) },
        {
          name: "webhook_id",
          title: "Webhook",
          choices: webhooks.map(({ id, target_url, event }) => [id, `${target_url} (${event})`]),
        },
        { name: "kind", title: "Kind", choices: same(kinds) },
        { name: "http_status", title: "HTTP status", choices: same(statuses) },
        { name: "error", title: "Error", choices: same(errors) },
        { name: "attempts_min", title: "Attempts at least", choices: same(["1", "2", "3", "4", "5", "6"]) },
      ]}
    />
  );
}
