import { z } from "zod";
import { recordKinds } from "../events/event-names.ts";
import { answeredText, text } from "../text.ts";
import { deliveryBodySchema, eventTypeSchema } from "./event-type.ts";

const record = z.enum(recordKinds);

/** The body of `PUT /host/v1/event-types/{name}`. */
export const declaredEventInputSchema = z
  .object({
    description: text({
      max: 1_000,
      blank: false,
      description: "When it is sent, in one sentence.",
      example: "A parcel has left the depot.",
    }),
    schema: z.record(z.string(), z.unknown()).meta({
      description:
        "The JSON Schema (2020-12) of `data`, at most 64 KiB. References begin with `#`. `format` describes only. Anchors, `$dynamicRef` and a nested `$id` are refused.",
      example: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
    }),
    sample: z.record(z.string(), z.unknown()).meta({
      description: "Data that the schema accepts. Tests send it.",
      example: { id: "par_1" },
    }),
    record: record.optional().meta({
      description: "The kind whose records the event is about. Left out: the event has its own records.",
      example: "orders",
    }),
  })
  .meta({ description: "An event of your own." });

export type DeclaredEventInput = z.input<typeof declaredEventInputSchema>;

/** Any name, because a host declares its own. */
const event = answeredText({ description: "The name of the event.", example: "parcel.sent" });

/** An event type, as the host API lists it. */
export const hostEventTypeSchema = eventTypeSchema
  .extend({
    event,
    sample: deliveryBodySchema.extend({ event }).meta({ description: "A complete delivery body." }),
    declared: z.boolean().meta({
      description:
        "Whether it was declared over this API. The others are in the specification or the program.",
      example: true,
    }),
    record: answeredText({
      description: "The kind of its records: one of the specification, or the name of the event.",
      example: "parcel.sent",
    }),
    schema: z.record(z.string(), z.unknown()).meta({
      description: "The JSON Schema of `data`, as it was declared. For other events that of a delivery.",
      example: { type: "object" },
    }),
  })
  .meta({ description: "An event, and how its data is described." });
export type HostEventType = Omit<z.output<typeof hostEventTypeSchema>, "sample" | "event"> & {
  readonly event: string;
  readonly sample: object;
};
