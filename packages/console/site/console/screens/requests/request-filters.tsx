import type { ApiKey } from "@hookwright/domain";
import type { Query } from "../../api/console-api.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";
import { replaceQuery } from "../../state/use-route.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The filters of the request log. The classes of statuses are tabs. */
export function RequestFilters({ query }: { readonly query: Query }) {
  const { api } = useConsole();
  const keys =
    useResource("every key", (signal) =>
      api.list<ApiKey>("console/api/keys", { query: { limit: "100" }, signal }),
    ).data?.rows ?? [];
  const isClass = query["status"]?.endsWith("xx") ?? false;
  return (
    <div class="filter-line">
      <SearchField
        label="Path, such as /v1/orders"
        text={query["path"] ?? ""}
        onSearch={(path) => replaceQuery({ path })}
      />
      <FilterMenu
        query={isClass ? { ...query, status: "" } : query}
        filters={[
          { name: "key_id", title: "Key", choices: keys.map(({ id, name }) => [id, name]) },
          { name: "method", title: "Method", choices: methods.map((each) => [each, each]) },
          { name: "status", title: "Status" },
        ]}
      />
    </div>
  );
}
