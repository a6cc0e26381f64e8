import { projectSchema } from "@hookwright/domain";
import { pageSuccess } from "../answer/answer.ts";
import { pageQuery } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const projectRoutes = [
  defineAccountRoute({
    method: "GET",
    path: "/v1/projects",
    operationId: "listProjects",
    summary: "The account's sites",
    description:
      "Newest first. A site has a time zone of its own: dates and times that customers picked are local to it.",
    query: pageQuery,
    answers: { 200: projectSchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.projects.list(caller.accountId, query)),
  }),
];
