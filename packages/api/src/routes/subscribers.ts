import { subscriberInputSchema, subscriberSchema } from "@hookwright/domain";
import { success } from "../response/api-response.ts";
import { noQuery } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const subscriberRoutes = [
  defineAccountRoute({
    method: "POST",
    path: "/v1/subscribers",
    operationId: "subscribe",
    summary: "Add a subscriber immediately, without confirmation",
    description:
      "A new subscriber (201) counts toward the plan's monthly limit and emits `subscriber.created`. A known subscriber (200) joins the list, receives the tags and keeps the status. An unsubscribed person stays unsubscribed.",
    changes: true,
    reads: "few",
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
