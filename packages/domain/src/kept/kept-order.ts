import type { Order, OrderInput } from "../events/order.ts";
import { readRecord } from "../events/read-record.ts";
import type { ReadRecord, ReadRecordOptions } from "../events/read-record.ts";
import { keptIdSchema } from "./kept-fields.ts";

/** An order as a host keeps it in a database of its own: its site, and the fields of specification §2.8 as `publish` takes them. */
export interface KeptOrder {
  /** A number is read as its text. */
  readonly project_id: string | number | bigint;
  readonly data: OrderInput;
}

/** An order in the form that the API and webhooks answer, and its site. */
export interface SiteOrder {
  readonly project_id: string;
  readonly data: Order;
}

export type ReadOrder =
  | ({ readonly ok: true } & SiteOrder & Pick<ReadRecord, "isLocalTime" | "hasCreatedAt">)
  | { readonly ok: false; readonly problems: readonly string[] };

/** The order in its wire form, with its site, or every problem of the two. It is read as leniently as a published one. */
export function readKeptOrder(kept: unknown, options: Omit<ReadRecordOptions, "within">): ReadOrder {
  if (typeof kept !== "object" || kept === null) return { ok: false, problems: ["order: must be an object"] };
  const { project_id: projectId, data }: { project_id?: unknown; data?: unknown } = kept;
  const reading = readRecord("order.created", data, { ...options, within: "data" });
  const problems = reading.ok ? [] : reading.problems;
  const site = keptIdSchema.safeParse(projectId);
  if (!site.success) return { ok: false, problems: ["project_id: must be the id of a site", ...problems] };
  if (!reading.ok) return reading;
  const { data: order, isLocalTime, hasCreatedAt } = reading.record;
  return { ok: true, project_id: site.data, data: order, isLocalTime, hasCreatedAt };
}
