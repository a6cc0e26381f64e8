import { consoleWebhookSchema } from "@hookwright/domain";
import { pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess } from "../../response/api-response.ts";
import { defineDeveloperRoute } from "../../routing/define-route.ts";

export const developerWebhookRoutes = [
  defineDeveloperRoute({
    method: "GET",
    path: "/developer/v1/webhooks",
    operationId: "listDeveloperWebhooks",
    summary: "The webhooks of the account. An API key sees those that it created.",
    reads: "page",
    query: pageQuery,
    answers: { 200: consoleWebhookSchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.developer.listWebhooks(caller, query)),
  }),
];
