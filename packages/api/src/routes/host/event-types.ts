import { declaredEventInputSchema, deletedSchema, hostEventTypeSchema } from "@hookwright/domain";
import { onePage, pageSuccess, success } from "../../response/api-response.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

/** Events that a host in any language declares. */
export const hostEventTypeRoutes = [
  defineHostRoute("GET", "/host/v1/event-types", {
    operationId: "listHostEventTypes",
    summary: "The events of this server, with the JSON Schema of their data",
    scope: "read",
    reads: "few",
    answers: { 200: hostEventTypeSchema },
    list: true,
    handle: async ({ service }) => pageSuccess({ rows: await service.hostEventTypes.list(), meta: onePage }),
  }),
  defineHostRoute("PUT", "/host/v1/event-types/{name}", {
    operationId: "putEventType",
    summary: "Declare an event of your own",
    description:
      "It replaces an earlier declaration of the event. Every process knows it within a second. An event of the program cannot be declared.",
    scope: "manage",
    reads: "page",
    body: { schema: declaredEventInputSchema },
    answers: { 200: hostEventTypeSchema, 201: hostEventTypeSchema },
    refusals: ["invalid_state"],
    handle: async ({ service, parameter, body, origin }) => {
      const { eventType, created } = await service.hostEventTypes.put(parameter("name"), body, origin);
      return success(eventType, { created });
    },
  }),
  defineHostRoute("DELETE", "/host/v1/event-types/{name}", {
    operationId: "deleteEventType",
    summary: "Remove an event that was declared here",
    description: "Webhooks must not name it. Deliveries that wait are still sent.",
    scope: "manage",
    reads: "scan",
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.hostEventTypes.remove(parameter("name"), origin)),
  }),
];
