import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { answeredText, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { eventReference, projectReference } from "./fields.ts";
import { standardSecretField } from "./webhook.ts";

const siteOfListener = projectReference.meta({
  description: "One of the ids from `GET /v1/projects`. If omitted, every site of the account.",
  example: "site_1",
});

/** More patterns are not useful: a listener without any gets every event. */
const maximumPatterns = 100;

/** `POST /developer/v1/listeners`: only the shape. Events and site have their own checks and error codes. */
export const listenerInputSchema = z
  .object({
    events: z
      .array(eventReference)
      .max(maximumPatterns)
      .optional()
      .meta({
        description: "Event names, or all events of a subject, such as `order.*`. If omitted, every event.",
        example: ["order.*"],
      }),
    project_id: siteOfListener.optional(),
  })
  .meta({ description: "The listener to create." });
export type ListenerInputBody = z.output<typeof listenerInputSchema>;

const listenerIdField = answeredText({
  description: "Id of the listener.",
  example: "lsn_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
});

/** The response to the creation of a listener, the only one that contains its secret. */
export const createdListenerSchema = z
  .object({
    id: listenerIdField,
    signing_secret: answeredText({
      description: "Signs the deliveries of this listener. It is only returned in this response.",
      example: "whsec_<SIGNING_SECRET>",
    }),
    standard_signing_secret: standardSecretField,
    events: z
      .array(answeredText({ description: "An event name or a pattern.", example: "order.*" }))
      .nullable()
      .meta({ description: "The events, as they were sent. Null means every event.", example: ["order.*"] }),
    project_id: hostIdSchema
      .nullable()
      .meta({ description: "The site whose events are sent. Null means every site.", example: "site_1" }),
    expires_at: timestampSchema.meta({
      description: "The listener is removed at this time, unless a reader connects before.",
    }),
  })
  .meta({ description: "The new listener, with its signing secret." });
export type CreatedListener = z.output<typeof createdListenerSchema>;

/** `POST /developer/v1/listeners/{id}/events/{delivery}/result`. */
export const listenerResultInputSchema = z
  .object({
    status: z
      .int()
      .min(100)
      .max(999)
      .optional()
      .meta({ description: "The HTTP status. Omitted if there was no response.", example: 200 }),
    duration_ms: z
      .number()
      .min(0)
      .max(3_600_000)
      .meta({ description: "Milliseconds until the response.", example: 12 }),
    error: text({ max: 300, description: "Why there was no response.", example: "ECONNREFUSED" }).optional(),
  })
  .meta({ description: "What the program behind the listener answered." });
export type ListenerResultInput = z.output<typeof listenerResultInputSchema>;

export const listenerResultSchema = z
  .object({
    listener_id: listenerIdField,
    delivery_id: answeredText({
      description: "The value of `X-Service-Delivery`.",
      example: "dlv_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }),
    status: z
      .int()
      .nullable()
      .meta({ description: "The HTTP status. Null if there was no response.", example: 200 }),
    duration_ms: z.number().meta({ description: "Milliseconds until the response.", example: 12 }),
    error: z
      .string()
      .nullable()
      .meta({ description: "Why there was no response. Null if there was one.", example: null }),
    reported_at: timestampSchema,
  })
  .meta({ description: "What a listener did with a delivery." });
export type ListenerResult = z.output<typeof listenerResultSchema>;

/** `POST /developer/v1/trigger`. The merged record is validated like a published one. */
export const triggerInputSchema = z
  .object({
    event: eventReference,
    project_id: siteOfListener.optional(),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description: "Fields that replace those of the sample. Objects are merged, arrays are replaced.",
        example: { customer: { email: "ada@example.com" } },
      }),
    test: z.boolean().optional().meta({
      description:
        "Whether the delivery is marked as a test (`X-Service-Test: 1`). If false, it is an ordinary delivery. Default: true.",
      example: false,
    }),
    strict: z.boolean().optional().meta({
      description: "Whether a field of `data` that the event does not have is refused. Default: false.",
      example: true,
    }),
  })
  .meta({ description: "The event to send to the listeners." });
export type TriggerInputBody = z.output<typeof triggerInputSchema>;

export const triggeredSchema = z
  .object({
    id: answeredText({ description: "The `id` in the body.", example: "order.created_test_1001" }),
    event: answeredText({ description: "The event.", example: "order.created" }),
    listeners: z.int().min(0).meta({ description: "The listeners that get it.", example: 1 }),
  })
  .meta({ description: "The event that was sent." });
export type Triggered = z.output<typeof triggeredSchema>;
