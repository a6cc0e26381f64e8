import type { RequestCounts } from "@hookwright/domain";
import type { Query } from "../../api/console-api.ts";
import { formatCounted } from "../../charts/scales.ts";
import { hrefTo } from "../../state/use-route.ts";

const tabs = [
  ["", "All", "all"],
  ["2xx", "2xx", "ok"],
  ["4xx", "4xx", "client_error"],
  ["5xx", "5xx", "server_error"],
] as const;

export interface StatusTabsProps {
  readonly query: Query;
  /** Undefined until they are known. */
  readonly counts: RequestCounts | undefined;
}

/** The classes of statuses, with their numbers under the other filters. */
export function StatusTabs({ query, counts }: StatusTabsProps) {
  const { status = "" } = query;
  return (
    <nav class="tabs" aria-label="Status">
      {tabs.map(([value, title, name]) => (
        <a
          key={name}
          href={hrefTo(["requests"], { ...query, status: value })}
          aria-current={status === value ? "page" : undefined}
        >
          {title} {counts === undefined ? null : <span class="count">{formatCounted(counts[name])}</span>}
        </a>
      ))}
    </nav>
  );
}
