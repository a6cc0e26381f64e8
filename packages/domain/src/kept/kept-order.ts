import type { Order, OrderInput } from "../events/order.ts";
import { readRecord } from "../events/read-record.ts";
import type { ReadRecord, ReadRecordOptions } from "../events/read-record.ts";
import { keptIdSchema } from "./kept-fields.ts";

/**
 * An order in a host's own database: its site, and the fields of order events as `publish` accepts them.
 */
export interface KeptOrder {
  /** A number is converted to text. */
  readonly project_id: string | number | bigint;
  readonly data: OrderInput;
}

/** An order as the API and webhooks return it, and its site. */
export interface SiteOrder {
  readonly project_id: string;
  readonly data: Order;
}

export type ReadOrder =
  | ({ readonly ok: true } & SiteOrder & Pick<ReadRecord, "isLocalTime" | "hasCreatedAt">)
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Returns the order in its wire format with its site, or all problems. It is read as leniently as a published
 * order.
 */
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
