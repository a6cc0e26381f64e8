import type { ConsoleWebhook } from "@hookwright/domain";
import { ListFilter } from "lucide";
import type { Query } from "../../api/console-api.ts";
import { Choice } from "../../parts/choice.tsx";
import { FilterChip } from "../../parts/filter-chip.tsx";
import { Icon } from "../../parts/icon.tsx";
import { formatTime } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";
import { replaceQuery } from "../../state/use-route.ts";
import { useTimeZone } from "../../state/use-time-zone.ts";
import { chipFilters } from "./delivery-filters.ts";

const kinds = ["event", "resend", "test"];
const errors = ["timeout", "dns", "blocked_address", "connect", "tls", "reset", "protocol", "status"];
const statuses = ["400", "401", "403", "404", "405", "410", "413", "429", "500", "502", "503", "504"];

/** The active filters as chips, and a menu that adds some. */
export function FilterBar({ query }: { readonly query: Query }) {
  const { api, eventTypes } = useConsole();
  const timeZone = useTimeZone();
  const webhooks =
    useResource("every webhook", (signal) =>
      api.list<ConsoleWebhook>("console/api/webhooks", { query: { limit: "100" }, signal }),
    ).data?.rows ?? [];
  const active = chipFilters.filter(([name]) => query[name]);
  const showValue = (name: string, value: string): string => {
    if (name === "since" || name === "until") return formatTime(value, timeZone);
    return name === "webhook_id" ? (webhooks.find(({ id }) => id === value)?.target_url ?? value) : value;
  };
  const choose = (name: string) => (value: string) => replaceQuery({ [name]: value });
  const same = (values: readonly string[]) => values.map((value) => [value, value] as const);
  return (
    <>
      <button type="button" class="button" popovertarget="filters">
        <Icon of={ListFilter} />
        Filter
        {active.length === 0 ? null : <span class="count">{active.length}</span>}
      </button>
      <div id="filters" class="menu filters" popover="auto" role="group" aria-label="Filters">
        <Choice
          label="Event"
          value={query["event"]}
          onChoose={choose("event")}
          choices={same(eventTypes.map(({ event }) => event))}
        />
        <Choice
          label="Webhook"
          value={query["webhook_id"]}
          onChoose={choose("webhook_id")}
          choices={webhooks.map(({ id, target_url, event }) => [id, `${target_url} (${event})`])}
        />
        <Choice label="Kind" value={query["kind"]} onChoose={choose("kind")} choices={same(kinds)} />
        <Choice
          label="HTTP status"
          value={query["http_status"]}
          onChoose={choose("http_status")}
          choices={same(statuses)}
        />
        <Choice label="Error" value={query["error"]} onChoose={choose("error")} choices={same(errors)} />
        <Choice
          label="Attempts at least"
          value={query["attempts_min"]}
          onChoose={choose("attempts_min")}
          choices={same(["1", "2", "3", "4", "5", "6"])}
        />
      </div>
      {active.map(([name, title]) => (
        <FilterChip key={name} onRemove={() => replaceQuery({ [name]: "" })}>
          {title}: {showValue(name, query[name] ?? "")}
        </FilterChip>
      ))}
    </>
  );
}
