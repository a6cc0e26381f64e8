import { hostSubscriberInputSchema, subscriberSchema } from "@hookwright/domain";
import { writtenSuccess } from "../../response/written-success.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostSubscriberRoutes = [
  defineHostRoute({
    method: "PUT",
    path: "/host/v1/projects/{id}/subscribers/{email}",
    operationId: "putSubscriber",
    summary: "Store a subscriber without emitting an event",
    scope: "publish",
    reads: "few",
    query: noQuery,
    body: { schema: hostSubscriberInputSchema },
    answers: { 200: subscriberSchema, 201: subscriberSchema },
    handle: async ({ service, parameter, body, mayRead }) => {
      const { subscriber, created } = await service.subscribers.put(
        parameter("id"),
        parameter("email"),
        body,
      );
      return writtenSuccess({
        data: subscriber,
        named: "email",
        created,
        body,
        schema: hostSubscriberInputSchema,
        mayRead,
      });
    },
  }),
];
