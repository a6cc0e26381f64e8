import { z } from "zod";
import { text } from "../text.ts";
import { eventReference, projectReference } from "./fields.ts";
import { ownSecretField } from "./webhook.ts";
import type { SigningSecret } from "./webhook.ts";

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
    signing_secret: ownSecretField.optional().meta({
      description:
        "The signing secret, 24 to 128 visible ASCII characters, so that a machine keeps its own. If omitted, one is generated.",
    }),
  })
  .meta({ description: "The listener to create." });
export type ListenerInputBody = z.output<typeof listenerInputSchema>;

export interface CreatedListener extends SigningSecret {
  readonly id: string;
  /** Event names or patterns, as they were sent. Null means every event. */
  readonly events: readonly string[] | null;
  /** Null means every site. */
  readonly project_id: string | null;
  /** The listener is removed at this time, unless a reader connects before. */
  readonly expires_at: string;
}

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

/** What a listener did with a delivery. */
export interface ListenerResult {
  readonly listener_id: string;
  /** The value of `X-Service-Delivery`. */
  readonly delivery_id: string;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  /** Why there was no response. */
  readonly error: string | null;
  readonly reported_at: string;
}

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

/** The event that was sent. */
export interface Triggered {
  /** The `id` in the body. */
  readonly id: string;
  readonly event: string;
  /** How many listeners get it. */
  readonly listeners: number;
}
