import { eventCatalogue, eventNames, maximumTries, sampleDeliveryBody } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import { toJsonSchema } from "./schemas.ts";

const headers = [
  { name: "X-Service-Event", description: "The event name.", example: "order.created" },
  {
    name: "X-Service-Delivery",
    description: "A unique id of this delivery; a retry keeps it.",
    example: "dlv_1",
  },
  {
    name: "X-Service-Timestamp",
    description: "Unix seconds when it was sent; part of the signature.",
    example: "1795211920",
  },
  {
    name: "X-Service-Signature",
    description:
      "`v1=` and the lower-case hex HMAC-SHA256 of `{timestamp}.{raw body}`, keyed with the signing secret.",
    example: "v1=9327d5517bb4fc3f525bbfe1a5c1d579ade4a5d194e3363117b52121c320a54c",
  },
];

/** The seven deliveries, as OpenAPI 3.1 describes what a server sends of its own accord. */
export function describeWebhooks(): Record<string, object> {
  return Object.fromEntries(eventNames.map((event) => [event, { post: describeWebhook(event) }]));
}

function describeWebhook(event: EventName): object {
  const { name, description, dataSchema } = eventCatalogue[event];
  return {
    operationId: `receive_${event.replace(".", "_")}`,
    summary: name,
    description: `${description} Answer any 2xx within 10 seconds to accept it, or \`410\` to remove the webhook. Anything else is tried again, up to ${maximumTries} tries in total over about half an hour.`,
    tags: ["Webhooks"],
    security: [],
    parameters: [
      ...headers.map(({ name: header, description: text, example }) => ({
        name: header,
        in: "header",
        required: true,
        description: text,
        schema: { type: "string" },
        example,
      })),
      {
        name: "X-Service-Test",
        in: "header",
        required: false,
        description: "`1` on a test sent from the console; absent otherwise.",
        schema: { type: "string", const: "1" },
      },
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["id", "event", "project", "data"],
            properties: {
              id: {
                type: "string",
                description: "`<event>_<record_id>`: the same each time, to ignore duplicates by.",
              },
              event: { type: "string", const: event },
              project: {
                type: "object",
                required: ["id", "name", "timezone"],
                properties: {
                  id: { type: "string" },
                  name: { type: "string" },
                  timezone: { type: "string" },
                },
              },
              data: toJsonSchema(dataSchema, "output"),
            },
          },
          example: sampleDeliveryBody(event),
        },
      },
    },
    responses: {
      "2XX": { description: "Accepted: it is never sent again." },
      "410": { description: "Gone: the webhook is removed." },
    },
  };
}
