import { bodyForms } from "../body-form.ts";
import { z } from "zod";
import { eventNames } from "../events/event-names.ts";
import type { EventName } from "../events/event-names.ts";
import { hostIdSchema } from "../ids.ts";
import type { InputBody } from "../input-body.ts";
import { text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { webhookStates } from "../webhook-state.ts";
import { eventReference, projectReference, targetUrlReference, timeOrNull } from "./fields.ts";

export const webhookIdField = text({
  max: 128,
  description: "Id of the webhook.",
  example: "wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
});
const targetUrlField = text({
  max: 2_048,
  description: "Where deliveries are sent.",
  example: "https://example.com/webhooks",
});
/** The name of a known event in responses. The OpenAPI document lists the names of its instance. */
export const eventNameField: z.ZodType<EventName | (string & {})> = z
  .string()
  .meta({ description: "The name of the event.", example: "order.created", enum: [...eventNames] });

/** The event of a webhook. Any name is possible, because the host may remove an event. */
const keptEventNameField: z.ZodType<EventName | (string & {})> = z.string().meta({
  description:
    "The name of the event, or `*` if the webhook has several. It may be one that `GET /v1/event-types` no longer lists.",
  example: "order.created",
});
const keptEventsField: z.ZodType<(EventName | (string & {}))[]> = z.array(z.string()).meta({
  description:
    "The names of its events, sorted. Only `*`: every event that exists or will exist, except tests.",
  example: ["order.created"],
});

export const webhookSchema = z
  .object({
    id: webhookIdField,
    event: keptEventNameField,
    events: keptEventsField,
    target_url: targetUrlField,
    project_id: hostIdSchema
      .nullable()
      .meta({ description: "The site whose events are sent. Null means every site.", example: "site_1" }),
    status: z.enum(["active", "paused", "switched_off"]).meta({
      description:
        "`switched_off` after too many consecutive failed attempts, 30 by default: turn it on again in the console. Also while the operator has disabled it.",
      example: "active",
    }),
    consecutive_failures: z
      .int()
      .min(0)
      .meta({ description: "Failed attempts since the last accepted one.", example: 0 }),
    last_success_at: timeOrNull("When a delivery was last accepted."),
    last_failure_at: timeOrNull("When an attempt last failed.", "2026-11-19T18:00:00Z"),
    created_at: timestampSchema,
  })
  .meta({ description: "A subscription to one event, several or all." });
export type Webhook = z.output<typeof webhookSchema>;

const signingSecretField = text({
  max: 200,
  description: "Signing secret. It is only returned in this response.",
  example: "whsec_<SIGNING_SECRET>",
});
const standardSecretField = text({
  max: 200,
  description:
    "The same secret for libraries of Standard Webhooks. Only if the server sends the headers of Standard Webhooks.",
  example: "whsec_<STANDARD_SIGNING_SECRET>",
});

/** The response to the creation of a webhook, the only one that contains its secret. */
export const createdWebhookSchema = webhookSchema
  .extend({ signing_secret: signingSecretField, standard_signing_secret: standardSecretField.optional() })
  .meta({ description: "The new webhook, with its signing secret." });
export type CreatedWebhook = z.output<typeof createdWebhookSchema>;

const rateField = z.int().min(1).max(1_000).nullable();
const ownRate = rateField.meta({
  description: "Attempts in a second at most, retries and resends included. Null: no limit.",
  example: 50,
});
const orderedField = z.boolean().meta({
  description:
    "Whether deliveries are sent in the order of publishing, each when the one before is accepted or has finally failed.",
  example: false,
});

const bodyFormField = z.enum(bodyForms).nullable().meta({
  description:
    "The form of the bodies. `hookwright`: `{id, event, project, data}`. `standard`: `{type, timestamp, data, id, project}`, where `type` is the event and `timestamp` is when it was published. Null: that of the server.",
  example: null,
});

const createdBySchema = z
  .object({
    type: z.enum(["key", "console"]).meta({ description: "How the webhook was created.", example: "key" }),
    key_id: text({ max: 128, description: "The key.", example: "key_019a9c3f5b2e7c41a0f39d1e6b7c8d21" })
      .nullable()
      .meta({ description: "The API key that created it. Null for the console." }),
    name: text({ max: 200, description: "Name of the key.", example: "Zapier" })
      .nullable()
      .meta({ description: "The name of that key. Null for the console." }),
  })
  .meta({ description: "Who created the webhook." });

/** Missed events of a webhook are counted up to this number. */
export const maximumMissed = 10_000;

/** The waiting deliveries of a webhook are counted up to this number. */
export const maximumWaiting = 10_000;

/** A webhook in the console. */
export const consoleWebhookSchema = webhookSchema
  .extend({
    rotating: z.boolean().meta({ description: "Whether a new signing secret is waiting.", example: false }),
    name: text({ max: 100, description: "A name for the owner.", example: "Warehouse" })
      .nullable()
      .meta({ description: "The owner's name for the webhook, or null.", example: "Warehouse" }),
    headers: z.array(z.string()).meta({
      description: "Names of the owner's own headers. Their values are never returned.",
      example: ["Authorization"],
    }),
    created_by: createdBySchema,
    verified: z.boolean().meta({
      description:
        "Whether its endpoint ever accepted a delivery or a test. Until then it may be tested while it is paused.",
      example: true,
    }),
    status: z.enum(webhookStates).meta({
      description:
        "`switched_off` after too many consecutive failed attempts, 30 by default. Turn it on again in the console. `disabled_by_host`: the operator disabled it, and only the operator can enable it. `removed` for 30 days after its removal: it can only be read.",
      example: "active",
    }),
    removed_at: timeOrNull("When it was removed. Null unless it is `removed`.", null),
    status_changed_at: timeOrNull("When the status last changed. Null: never, or unknown.", null),
    status_reason: z.enum(["person", "failures", "host", "gone", "key_revoked"]).nullable().meta({
      description:
        "Why it is not active. `person`: somebody paused it, or removed it in the console or with a key. `failures`: too many failed attempts in a row, 30 by default. `host`: the operator disabled it. `gone`: its endpoint answered 410. `key_revoked`: the key that created it was revoked. Null while it is active.",
      example: null,
    }),
    status_detail: z.string().nullable().meta({
      description: "Why the operator disabled it. Null unless the operator has disabled it.",
      example: null,
    }),
    missed: z.int().min(0).max(maximumMissed).nullable().meta({
      description:
        "Events of the last 30 days that were not sent since it was paused or disabled, or before, if a job with `turn_on` did not send all, counted up to 10,000. A recovery can send them. Null: unknown, or not counted, as in lists.",
      example: 0,
    }),
    max_per_second: ownRate,
    host_max_per_second: rateField.meta({
      description: "The limit of the operator. The lower of the two counts. Null: none.",
      example: null,
    }),
    ordered: orderedField,
    body_form: bodyFormField,
    waiting: z.int().min(0).max(maximumWaiting).nullable().meta({
      description:
        "Deliveries of a webhook with a limit or an order that wait for their first or next attempt, counted up to 10,000. Null for others, and in lists.",
      example: null,
    }),
    backoff_until: timeOrNull(
      "No attempt starts before this time, because the last ten or more attempts failed. It may have passed.",
      null,
    ),
  })
  .meta({ description: "A webhook, as the console shows it." });
export type ConsoleWebhook = z.output<typeof consoleWebhookSchema>;

/** The response to the creation of a webhook by its owner or the host. */
export const createdConsoleWebhookSchema = consoleWebhookSchema
  .extend({ signing_secret: signingSecretField, standard_signing_secret: standardSecretField.optional() })
  .meta({ description: "The new webhook, with its signing secret." });
export type CreatedConsoleWebhook = z.output<typeof createdConsoleWebhookSchema>;

/** A secret, which only the response to its creation contains. */
export interface SigningSecret {
  readonly signing_secret: string;
  /** The same secret in the form of Standard Webhooks. Absent unless the server sends their headers. */
  readonly standard_signing_secret?: string | undefined;
}

const maximumEvents = 50;

const eventsOfWebhook = z
  .array(eventReference)
  .max(2 * maximumEvents)
  .refine(
    (names) => new Set(names).size <= maximumEvents,
    `must have at most ${maximumEvents} different entries`,
  )
  .meta({
    description:
      'Up to 50 different event names from `GET /v1/event-types`, or `["*"]` for every event that exists or will exist, except tests.',
    example: ["order.created", "order.paid"],
  });

/** A secret that the caller brings. It may be one that a receiver verifies already. */
export const ownSecretField = z
  .string()
  .regex(/^[\x21-\x7E]{24,128}$/u, "must be 24 to 128 visible ASCII characters")
  .meta({
    description:
      "The signing secret, 24 to 128 visible ASCII characters. If omitted, one is generated. The key of `webhook-signature` is the decoded part if it is `whsec_` and the base64 of 24 to 64 bytes. A webhook that exists already keeps its own.",
    example: "whsec_<SIGNING_SECRET_OF_24_TO_128_CHARACTERS>",
    maxLength: 128,
  });

const siteOfWebhook = projectReference.meta({
  description: "One of the ids from `GET /v1/projects`. If omitted, every site of the account.",
  example: "site_1",
});

const customHeaderValues = z.record(z.string(), z.unknown()).meta({
  description:
    "Headers that every delivery also has. At most 10, and 4 KiB of names and values together. Only their names are shown later.",
  example: { Authorization: "Basic dXNlcjpwYXNzd29yZA==" },
});

/** `PATCH /console/api/webhooks/{id}`: only the shape. URL, site and headers have their own checks. */
export const webhookChangesSchema = z
  .object({
    name: text({ max: 100, description: "A name for the owner. Null removes it.", example: "Warehouse" })
      .nullable()
      .optional()
      .meta({ description: "The owner's name for the webhook. Null removes it.", example: "Warehouse" }),
    events: eventsOfWebhook.optional(),
    target_url: targetUrlReference.optional(),
    project_id: projectReference
      .nullable()
      .optional()
      .meta({ description: "The site whose events are sent. Null means every site.", example: "site_1" }),
    headers: customHeaderValues.optional().meta({
      description:
        "Headers that every delivery also has, in place of the present ones. At most 10, and 4 KiB of names and values together. `{}` removes them.",
    }),
    max_per_second: ownRate.optional(),
    ordered: orderedField.optional(),
    body_form: bodyFormField.optional(),
  })
  .meta({ description: "The changes of a webhook. Fields that are left out stay as they are." });
export type WebhookChangesInput = z.output<typeof webhookChangesSchema>;

/** `POST /v1/webhooks`: only the shape. Events, URL and site have their own checks and error codes. */
export const webhookInputSchema = z
  .object({
    event: eventReference.optional(),
    events: eventsOfWebhook.optional(),
    target_url: targetUrlReference,
    project_id: siteOfWebhook.optional(),
    signing_secret: ownSecretField.optional(),
  })
  .meta({
    description: "The webhook to create, with either `event` or `events`.",
    oneOf: [
      { required: ["event"], properties: { event: { type: "string", pattern: String.raw`\S` } } },
      { required: ["events"], properties: { events: { type: "array", minItems: 1 } } },
    ],
  });

/** One event, or several. `["*"]` are all that exist or will exist. */
type ChosenEvents =
  | { readonly event: EventName | (string & {}); readonly events?: null | undefined }
  | { readonly event?: null | undefined; readonly events: readonly (EventName | (string & {}))[] };

/** The body of `POST /v1/webhooks`. Editors suggest the known events. Any other is refused with `unknown_event`. */
export type WebhookInputBody = ChosenEvents &
  InputBody<Omit<z.output<typeof webhookInputSchema>, "event" | "events">>;

/** The body of a creation by the owner or the host. */
export type ConsoleWebhookInputBody = ChosenEvents &
  InputBody<Omit<z.output<typeof consoleWebhookInputSchema>, "event" | "events">>;

/** `POST …/webhooks/{id}/test`. */
export const testInputSchema = z
  .object({
    event: eventReference.optional().meta({
      description: "One of the webhook's events. Default: the first one.",
      example: "order.created",
    }),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          "What is sent in place of the sample, at most 256 KiB. It is checked as data of this event is, and a field that the event does not have is refused. The test has an `id` of its own.",
        example: { total: "19.90" },
      }),
    delivery_id: text({
      max: 128,
      description:
        "A delivery whose last body is sent again, byte for byte. The webhook must get its event and its site. Neither `event` nor `data` can be sent with it.",
      example: "dlv_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
    }).optional(),
  })
  .superRefine(({ event, data, delivery_id: deliveryId }, { addIssue }) => {
    if (deliveryId !== undefined && (event !== undefined || data !== undefined))
      addIssue({
        code: "custom",
        path: ["delivery_id"],
        message: "cannot be sent together with event or data",
      });
  })
  .meta({ description: "What the test sends." });
export type TestInput = z.output<typeof testInputSchema>;

/** `POST /host/v1/webhooks/{id}/disable`. */
export const disableInputSchema = z
  .object({
    reason: text({
      max: 500,
      blank: false,
      description: "Why it is disabled. Its owner sees this text.",
      example: "This URL belongs to somebody else.",
    }),
  })
  .meta({ description: "Why the webhook is disabled." });
export type DisableInput = z.output<typeof disableInputSchema>;

/** `POST /host/v1/webhooks/{id}/limit`. */
export const limitInputSchema = z
  .object({
    max_per_second: rateField.meta({
      description:
        "Attempts in a second at most. The lower of this and of the owner's limit counts. Null: no limit.",
      example: 20,
    }),
  })
  .meta({ description: "The limit of the operator for the webhook." });
export type LimitInput = z.output<typeof limitInputSchema>;

/** `POST /console/api/webhooks`, `POST /developer/v1/webhooks` and `POST /host/v1/accounts/{id}/webhooks`. */
export const consoleWebhookInputSchema = webhookInputSchema
  .extend({
    name: text({ max: 100, description: "A name for the owner.", example: "Warehouse" }).optional(),
    headers: customHeaderValues.optional(),
    max_per_second: rateField.unwrap().optional().meta({
      description:
        "Attempts in a second at most, retries and resends included. If omitted, there is no limit.",
      example: 50,
    }),
    ordered: orderedField.optional(),
    body_form: bodyFormField.unwrap().optional().meta({
      description:
        "The form of the bodies. `standard`: `{type, timestamp, data, id, project}`. If omitted, that of the server.",
      example: "standard",
    }),
    paused: z.boolean().optional().meta({
      description:
        "True: it sends nothing until it is resumed. Until its endpoint has accepted a test, it may be tested.",
      example: true,
    }),
  })
  .meta({ description: "The webhook to create, with either `event` or `events`." });
export type ConsoleWebhookInput = z.output<typeof consoleWebhookInputSchema>;
