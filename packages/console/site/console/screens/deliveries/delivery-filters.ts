import type { Delivery } from "@hookwright/domain";
import type { Query } from "../../api/console-api.ts";
import type { LiveChange } from "../../state/live.ts";
import type { LiveRows } from "../../state/use-live-rows.ts";

/** `site` is in the address under another name. */
const names = [
  "status",
  "q",
  "event",
  "webhook_id",
  "kind",
  "http_status",
  "error",
  "attempts_min",
  "since",
  "until",
] as const;

/** The query of the API for the parameters of the address. */
export function toDeliveryQuery(address: Readonly<Record<string, string>>): Query {
  return {
    ...Object.fromEntries(names.map((name) => [name, address[name]])),
    project_id: address["site"] ?? address["project_id"],
  };
}

/** Which changes belong to a list of deliveries with these filters. */
export function liveDeliveries(query: Query, newestId: () => string | undefined): LiveRows<Delivery> {
  const { status, event, webhook_id, project_id, kind } = query;
  const wanted = { status, event, webhook_id, project_id, kind };
  return {
    rowOf: (change: LiveChange) => (change.type === "delivery" ? change.row : undefined),
    mayBeNew: (row) => {
      // Ids sort by time, as in the list. Several deliveries of one event may have the same time.
      if (row.id < (newestId() ?? "")) return false;
      const fields: Readonly<Record<string, unknown>> = { ...row };
      return Object.entries(wanted).every(([name, value]) => !value || fields[name] === value);
    },
  };
}
