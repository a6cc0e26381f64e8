import { z } from "zod";
import { deliveryBodySchema, eventTypeSchema } from "@hookwright/domain";
import { pageSuccess, recordPageSuccess } from "../answer/answer.ts";
import { noQuery, projectFilter, sampleLimit } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

/** Neither list has more than one page; the `meta` is there all the same, so that every list reads alike. */
const onePage = { has_more: false, next_cursor: null };

export const eventTypeRoutes = [
  defineAccountRoute({
    method: "GET",
    path: "/v1/event-types",
    operationId: "listEventTypes",
    summary: "The events a webhook can subscribe to",
    description: "Each with a complete, static delivery body. There is one page.",
    query: noQuery,
    answers: { 200: eventTypeSchema },
    list: true,
    handle: async ({ service }) => pageSuccess({ rows: service.eventTypes.list(), meta: onePage }),
  }),
  defineAccountRoute({
    method: "GET",
    path: "/v1/event-types/{type}/samples",
    operationId: "listSamples",
    summary: "The account's newest records of an event, just as a webhook delivers them",
    description: "Newest first, ten at the most; none gives an empty list.",
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
