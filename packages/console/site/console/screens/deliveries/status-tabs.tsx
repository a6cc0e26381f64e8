import type { Query } from "../../api/console-api.ts";
import { formatCounted } from "../../charts/scales.ts";
import { useConsole } from "../../state/console-context.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { hrefTo } from "../../state/use-route.ts";

type Counts = Readonly<Record<"all" | "delivered" | "pending" | "failed" | "cancelled", number>>;

const tabs = [
  ["", "All", "all"],
  ["delivered", "Delivered", "delivered"],
  ["pending", "Pending", "pending"],
  ["failed", "Failed", "failed"],
  ["cancelled", "Cancelled", "cancelled"],
] as const;

/** The statuses of deliveries, with their numbers under the other filters. */
export function StatusTabs({ query }: { readonly query: Query }) {
  const { api } = useConsole();
  const { status = "", project_id: _, ...filters } = query;
  const others = { ...filters, project_id: query["project_id"] };
  const { data, reload } = useResource(`counts ${JSON.stringify(others)}`, (signal) =>
    api.get<Counts>("console/api/deliveries/counts", { query: others, signal }),
  );
  useLiveReload(reload, (change) => change.type === "delivery");
  return (
    <nav class="tabs" aria-label="Status">
      {tabs.map(([value, title, name]) => (
        <a
          key={name}
          href={hrefTo(["deliveries"], { ...filters, status: value })}
          aria-current={status === value ? "page" : undefined}
        >
          {title} {data === undefined ? null : <span class="count">{formatCounted(data[name])}</span>}
        </a>
      ))}
    </nav>
  );
}
