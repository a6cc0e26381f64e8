import { subscriberInputSchema, subscriberSchema } from "@hookwright/domain";
import { success } from "../answer/answer.ts";
import { noQuery } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const subscriberRoutes = [
  defineAccountRoute({
    method: "POST",
    path: "/v1/subscribers",
    operationId: "subscribe",
    summary: "Subscribe somebody, at once and without confirmation",
    description:
      "Somebody new (201) counts toward the plan's monthly limit and emits `subscriber.created`. Somebody known (200) joins the list, receives the tags and keeps the status: who unsubscribed stays unsubscribed.",
    changes: true,
    query: noQuery,
    body: { schema: subscriberInputSchema },
    answers: { 200: subscriberSchema, 201: subscriberSchema },
    refusals: ["invalid_list", "email_rejected", "plan_limit_reached"],
    handle: async ({ service, caller, body }) => {
      const { subscriber, created } = await service.subscribers.subscribe(caller.accountId, body);
      return success(subscriber, { created });
    },
  }),
];
