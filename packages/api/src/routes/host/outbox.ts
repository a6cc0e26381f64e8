import {
  deletedSchema,
  outboxCountsSchema,
  rejectedEventRetrySchema,
  rejectedEventSchema,
  retriedEventSchema,
  stringifyJson,
} from "@hookwright/domain";
import { pageQuery } from "../../request/query-parameters.ts";
import { recordPageSuccess, recordSuccess, success } from "../../response/api-response.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

/** Numbers keep all their digits. */
const toText = (row: object) => ({ json: stringifyJson(row) });

/** The events of the outbox that could not be published. */
export const hostOutboxRoutes = [
  defineHostRoute("GET", "/host/v1/outbox", {
    operationId: "countOutbox",
    summary: "Count the rejected events of the outbox",
    scope: "read",
    reads: "few",
    answers: { 200: outboxCountsSchema },
    handle: async ({ service }) => success(await service.rejectedEvents.count()),
  }),
  defineHostRoute("GET", "/host/v1/outbox/rejected", {
    operationId: "listRejectedEvents",
    summary: "The rejected events of the outbox",
    description: "They could not be published. The newest is first.",
    scope: "read",
    reads: "page",
    query: pageQuery,
    list: true,
    answers: { 200: rejectedEventSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, query }) => {
      const { rows, meta } = await service.rejectedEvents.list(query);
      return recordPageSuccess({ rows: rows.map(toText), meta });
    },
  }),
  defineHostRoute("GET", "/host/v1/outbox/rejected/{id}", {
    operationId: "getRejectedEvent",
    summary: "One rejected event",
    description: "The response includes its data, up to 16 MiB.",
    scope: "read",
    reads: "few",
    answers: { 200: rejectedEventSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter }) =>
      recordSuccess(toText(await service.rejectedEvents.get(parameter("id")))),
  }),
  defineHostRoute("POST", "/host/v1/outbox/rejected/{id}/retry", {
    operationId: "retryRejectedEvent",
    summary: "Publish a rejected event again",
    description:
      "It is put into the outbox again, corrected or as it is, and published once. The event is checked first. If it is still wrong, it stays rejected, and the answer says what is wrong. Events of its record that were published meanwhile stay before it.",
    scope: "manage",
    reads: "few",
    body: { schema: rejectedEventRetrySchema, optional: true },
    answers: { 200: retriedEventSchema },
    refusals: ["unknown_event", "resource_not_found"],
    handle: async ({ service, parameter, body, origin }) =>
      success(await service.rejectedEvents.retry(parameter("id"), body, origin)),
  }),
  defineHostRoute("DELETE", "/host/v1/outbox/rejected/{id}", {
    operationId: "deleteRejectedEvent",
    summary: "Remove a rejected event",
    description: "It is not published.",
    scope: "manage",
    reads: "few",
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.rejectedEvents.remove(parameter("id"), origin)),
  }),
];
