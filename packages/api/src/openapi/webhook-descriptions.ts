import { deliveryBodySchema, isEventName, maximumTries, nameSignedHeaders } from "@hookwright/domain";
import type { EventRegistry, RegisteredEvent, SignedHeaderNames } from "@hookwright/domain";
import { toJsonSchema } from "./schemas.ts";

const { id, project } = deliveryBodySchema.shape;
const toHeaders = (names: SignedHeaderNames) => [
  { name: names.event, description: "The event name.", example: "order.created" },
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

/** Describes the deliveries of all known events under `webhooks` of OpenAPI 3.1. */
export function describeWebhooks(events: EventRegistry, headerPrefix?: string): Record<string, object> {
  const names = nameSignedHeaders(headerPrefix);
  return Object.fromEntries(
    events.names.flatMap((event) => {
      const known = events.find(event);
      return known === undefined ? [] : [[event, { post: describeWebhook(known, names) }] as const];
    }),
  );
}

function describeWebhook({ type, toDataSchema }: RegisteredEvent, names: SignedHeaderNames): object {
  const { event, name, description, sample } = type;
  return {
    operationId: `receive_${isEventName(event) ? event.replace(".", "_") : toIdPart(event)}`,
    summary: name,
    description: `${description} Respond with any 2xx within 10 seconds to accept it, or with \`410\` to remove the webhook. Any other response is retried: up to ${maximumTries} attempts over about half an hour.`,
    tags: ["Webhooks"],
    security: [],
    parameters: [
      ...toHeaders(names).map(({ name: header, description: text, example }) => ({
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
          schema: {
            type: "object",
            required: Object.keys(deliveryBodySchema.shape),
            properties: {
              id: toJsonSchema(id, "output"),
              event: { type: "string", const: event },
              project: toJsonSchema(project, "output"),
              data: toDataSchema(),
            },
          },
          example: sample,
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
