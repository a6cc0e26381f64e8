import { deliveryBodySchema, isEventName, maximumTries, nameSignedHeaders } from "@hookwright/domain";
import type { BodyForm, EventRegistry, RegisteredEvent, SignedHeaderNames } from "@hookwright/domain";
import { toJsonSchema } from "./schemas.ts";

const { id, project } = deliveryBodySchema.shape;
const toHeaders = (names: SignedHeaderNames, event: string) => [
  { name: names.event, description: "The event name.", example: event },
  {
    name: names.delivery,
    description: "The unique id of this delivery. A retry has the same id.",
    example: "dlv_1",
  },
  {
    name: names.timestamp,
    description: "When the request was sent, in Unix seconds. The signature covers it.",
    example: "1795211920",
  },
  {
    name: names.signature,
    description:
      "`v1=` and the lower-case hex HMAC-SHA256 of `{timestamp}.{raw body}`, keyed with the signing secret.",
    example: "v1=9327d5517bb4fc3f525bbfe1a5c1d579ade4a5d194e3363117b52121c320a54c",
  },
];

/** What all deliveries of a server have in common. */
export interface Wire {
  /** The prefix of the names of their signed headers. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
  /** The form of their bodies. @default "hookwright" */
  readonly bodyForm?: BodyForm | undefined;
}

/** Describes the deliveries of all known events under `webhooks` of OpenAPI 3.1. */
export function describeWebhooks(events: EventRegistry, wire: Wire = {}): Record<string, object> {
  return Object.fromEntries(
    events.names.flatMap((event) => {
      const known = events.find(event);
      return known === undefined ? [] : [[event, { post: describeWebhook(known, wire) }] as const];
    }),
  );
}

function describeWebhook(known: RegisteredEvent, { headerPrefix, bodyForm }: Wire): object {
  const { event, name, description } = known.type;
  const names = nameSignedHeaders(headerPrefix);
  return {
    operationId: `receive_${isEventName(event) ? event.replace(".", "_") : toIdPart(event)}`,
    summary: name,
    description: `${description} Respond with any 2xx within 10 seconds to accept it, or with \`410\` to remove the webhook. Any other response is retried: up to ${maximumTries} attempts over about half an hour.`,
    tags: ["Webhooks"],
    security: [],
    parameters: [
      ...toHeaders(names, event).map(({ name: header, description: text, example }) => ({
        name: header,
        in: "header",
        required: true,
        description: text,
        schema: { type: "string" },
        example,
      })),
      {
        name: names.test,
        in: "header",
        required: false,
        description: "`1` on a test sent from the console, otherwise absent.",
        schema: { type: "string", const: "1" },
      },
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          ...(bodyForm === "standard" ? describeStandardBody(known) : describeBody(known)),
        },
      },
    },
    responses: {
      "2XX": { description: "Accepted. It is not sent again." },
      "410": { description: "Gone. The webhook is removed." },
    },
  };
}

/** Two underscores for a dot, because `a.b_c` and `a_b.c` need different ids. With others beside it, the name itself. */
function toIdPart(event: string): string {
  return /__|_\.|\._/u.test(event) ? event : event.replaceAll(".", "__");
}

function describeBody({ type: { event, description, sample }, toDataSchema }: RegisteredEvent): object {
  const properties = {
    id: toJsonSchema(id, "output"),
    event: { type: "string", const: event },
    project: toJsonSchema(project, "output"),
    data: toDataSchema(),
  };
  return {
    schema: { type: "object", description, required: Object.keys(properties), properties },
    example: sample,
  };
}

function describeStandardBody({
  type: { event, description, sample },
  toDataSchema,
}: RegisteredEvent): object {
  const properties = {
    type: { type: "string", const: event },
    timestamp: {
      type: "string",
      format: "date-time",
      description: "When the event was published. It is the same on every attempt and resend.",
    },
    data: toDataSchema(),
    id: toJsonSchema(id, "output"),
    project: toJsonSchema(project, "output"),
  };
  const { event: _, ...rest } = sample;
  return {
    schema: { type: "object", description, required: Object.keys(properties), properties },
    example: { type: event, timestamp: "2026-11-30T16:00:00.000Z", ...rest },
  };
}
