import { hostSubscriberInputSchema, subscriberSchema } from "@hookwright/domain";
import { success } from "../../response/api-response.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostSubscriberRoutes = [
  defineHostRoute({
    method: "PUT",
    path: "/host/v1/projects/{id}/subscribers/{email}",
    operationId: "putSubscriber",
    summary: "Store a subscriber without emitting an event",
    scope: "publish",
    query: noQuery,
    body: { schema: hostSubscriberInputSchema },
    answers: { 200: subscriberSchema, 201: subscriberSchema },
    handle: async ({ service, parameter, body }) => {
      const { subscriber, created } = await service.subscribers.put(
        parameter("id"),
        parameter("email"),
        body,
      );
      return success(subscriber, { created });
    },
  }),
];
