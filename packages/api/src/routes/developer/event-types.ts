import { describedEventTypeSchema } from "@hookwright/domain";
import { noQuery } from "../../request/query-parameters.ts";
import { onePage, pageSuccess } from "../../response/api-response.ts";
import { defineDeveloperRoute } from "../../routing/define-route.ts";

export const developerEventTypeRoutes = [
  defineDeveloperRoute({
    method: "GET",
    path: "/developer/v1/event-types",
    operationId: "listDeveloperEventTypes",
    summary: "The events a webhook can subscribe to, with their fields. There is only one page.",
    reads: "few",
    query: noQuery,
    answers: { 200: describedEventTypeSchema },
    list: true,
    handle: async ({ service }) => pageSuccess({ rows: service.describeEventTypes(), meta: onePage }),
  }),
];
