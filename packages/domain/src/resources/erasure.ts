import { z } from "zod";
import { emailSchema } from "../email-address.ts";
import { answeredText } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { count, timeOrNull } from "./fields.ts";

/** `POST /host/v1/accounts/{id}/erasures`. */
export const erasureInputSchema = z
  .object({ email: emailSchema.meta({ description: "The address of the person, in any case." }) })
  .meta({ description: "Whose data is erased." });
export type ErasureInput = z.output<typeof erasureInputSchema>;

const identity = {
  id: answeredText({ description: "Id of the erasure.", example: "ers_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
  status: z
    .enum(["running", "finished"])
    .meta({ description: "`running` until all is erased.", example: "running" }),
};

export const startedErasureSchema = z
  .object(identity)
  .meta({ description: "An erasure that has started. It runs in the background." });
export type StartedErasure = z.output<typeof startedErasureSchema>;

/** The receipt of an erasure, or its progress while it runs. It has no data of the person. */
export const erasureSchema = z
  .object({
    ...identity,
    contacts: count("Contacts that were removed."),
    subscribers: count("Subscriptions that were removed."),
    records: count("Other records that were removed, such as orders."),
    deliveries: count("Deliveries that were cancelled, or whose bodies were erased from the log."),
    created_at: timestampSchema,
    finished_at: timeOrNull("When all was erased. Null while it runs.", "2026-11-20T11:31:00Z"),
  })
  .meta({ description: "The receipt of an erasure, or its progress while it runs." });
export type Erasure = z.output<typeof erasureSchema>;
