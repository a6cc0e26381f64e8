import { z } from "zod";
import { eventCatalogue } from "../events/event-catalogue.ts";
import { settleMoney } from "../events/money-fields.ts";
import { orderSchema } from "../events/order.ts";
import type { Order } from "../events/order.ts";
import { hostIdSchema } from "../ids.ts";
import { findProblems } from "../validation.ts";
import type { Parsed } from "../validation.ts";
import { keptTimeSchema } from "./kept-fields.ts";

type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Field in keyof Value]: ReadonlyDeep<Value[Field]> }
  : Value;

/** An order as a host publishes it: what may be null may be left out. */
export type OrderInput = ReadonlyDeep<z.input<typeof orderSchema>>;

/** An order as a host keeps it in a database of its own: its site, and the fields of specification §2.8. */
export interface KeptOrder {
  readonly project_id: string;
  readonly data: Omit<OrderInput, "created_at"> & { readonly created_at: string | Date };
}

const keptOrderSchema = z.object({
  project_id: hostIdSchema,
  data: orderSchema.extend({ created_at: keptTimeSchema }),
});

/** The order in its wire form, with its site, or every problem of the two. */
export function findKeptOrderProblems(
  kept: unknown,
): Parsed<{ readonly project_id: string; readonly data: Order }> {
  const parsed = findProblems(keptOrderSchema, kept, { root: "order" });
  if (!parsed.ok) return parsed;
  // What was parsed is ours alone, so its amounts are settled in place.
  const problems = settleMoney(parsed.data.data, eventCatalogue["order.created"].money);
  return problems.length === 0
    ? parsed
    : { ok: false, problems: problems.map((problem) => `data.${problem}`) };
}
