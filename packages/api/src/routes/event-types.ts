import { z } from "zod";
import { deliveryBodySchema, eventTypeSchema } from "@hookwright/domain";
import { onePage, pageSuccess, recordPageSuccess } from "../response/api-response.ts";
import { projectFilter, sampleLimit } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const eventTypeRoutes = [
  defineAccountRoute("GET", "/v1/event-types", {
    operationId: "listEventTypes",
    summary: "The events a webhook can subscribe to",
    description: "Each event has a complete, static delivery body. There is only one page.",
    right: "any",
    reads: "few",
    answers: { 200: eventTypeSchema },
    list: true,
    handle: async ({ service }) => pageSuccess({ rows: service.eventTypes.list(), meta: onePage }),
  }),
  defineAccountRoute("GET", "/v1/event-types/{type}/samples", {
    operationId: "listSamples",
    summary: "The account's newest records of an event, as webhooks deliver them",
    description: "Newest first, at most ten. The list is empty if there are none.",
    right: "read",
    reads: "page",
    query: z.object({ project_id: projectFilter, limit: sampleLimit }),
    answers: { 200: deliveryBodySchema },
    list: true,
    refusals: ["unknown_event"],
    handle: async ({ service, caller, parameter, query }) => {
      const rows = await service.eventTypes.samples(caller.accountId, parameter("type"), query);
      return recordPageSuccess({ rows, meta: onePage });
    },
  }),
];
