import { projectSchema } from "@hookwright/domain";
import { pageSuccess } from "../response/api-response.ts";
import { pageQuery } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const projectRoutes = [
  defineAccountRoute({
    method: "GET",
    path: "/v1/projects",
    operationId: "listProjects",
    summary: "The account's sites",
    description:
      "Newest first. Each site has its own time zone. Dates and times that customers chose are in that time zone.",
    reads: "page",
    query: pageQuery,
    answers: { 200: projectSchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.projects.list(caller.accountId, query)),
  }),
];
