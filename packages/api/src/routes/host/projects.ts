import { projectInputSchema, projectSchema } from "@hookwright/domain";
import { writtenSuccess } from "../../response/written-success.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostProjectRoutes = [
  defineHostRoute({
    method: "PUT",
    path: "/host/v1/projects/{id}",
    operationId: "putProject",
    summary: "Create or update a site",
    scope: "manage",
    reads: "few",
    query: noQuery,
    body: { schema: projectInputSchema },
    answers: { 200: projectSchema, 201: projectSchema },
    handle: async ({ service, parameter, body, mayRead, origin }) => {
      const { project, created } = await service.projects.put(parameter("id"), body, origin);
      return writtenSuccess({ data: project, created, body, schema: projectInputSchema, mayRead });
    },
  }),
];
