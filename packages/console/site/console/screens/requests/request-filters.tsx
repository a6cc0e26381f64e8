import type { ApiKey } from "@hookwright/domain";
import { ListFilter } from "lucide";
import type { Query } from "../../api/console-api.ts";
import { Choice } from "../../parts/choice.tsx";
import { FilterChip } from "../../parts/filter-chip.tsx";
import { Icon } from "../../parts/icon.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { formatTime } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";
import { replaceQuery } from "../../state/use-route.ts";
import { useTimeZone } from "../../state/use-time-zone.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The filters that are chips. The path and the classes of statuses have their own controls. */
const chips = [
  ["key_id", "Key"],
  ["method", "Method"],
  ["status", "Status"],
  ["since", "Since"],
  ["until", "Until"],
] as const;

/** The filters of the request log. The chart chooses the times. */
export function RequestFilters({ query }: { readonly query: Query }) {
  const { api } = useConsole();
  const timeZone = useTimeZone();
  const keys =
    useResource("every key", (signal) =>
      api.list<ApiKey>("console/api/keys", { query: { limit: "100" }, signal }),
    ).data?.rows ?? [];
  const choose = (name: string) => (value: string) => replaceQuery({ [name]: value });
  const showValue = (name: string, value: string): string => {
    if (name === "since" || name === "until") return formatTime(value, timeZone);
    return name === "key_id" ? (keys.find(({ id }) => id === value)?.name ?? value) : value;
  };
  const active = chips.flatMap(([name, title]) => {
    const value = query[name] ?? "";
    return value === "" || value.endsWith("xx") ? [] : [{ name, title, value }];
  });
  return (
    <div class="filter-line">
      <SearchField label="Path, such as /v1/orders" text={query["path"] ?? ""} onSearch={choose("path")} />
      <button type="button" class="button" popovertarget="filters">
        <Icon of={ListFilter} />
        Filter
        {active.length === 0 ? null : <span class="count">{active.length}</span>}
      </button>
      <div id="filters" class="menu filters" popover="auto" role="group" aria-label="Filters">
        <Choice
          label="Key"
          value={query["key_id"]}
          onChoose={choose("key_id")}
          choices={keys.map(({ id, name }) => [id, name])}
        />
        <Choice
          label="Method"
          value={query["method"]}
          onChoose={choose("method")}
          choices={methods.map((each) => [each, each])}
        />
      </div>
      {active.map(({ name, title, value }) => (
        <FilterChip key={name} onRemove={() => replaceQuery({ [name]: "" })}>
          {title}: {showValue(name, value)}
        </FilterChip>
      ))}
    </div>
  );
}
