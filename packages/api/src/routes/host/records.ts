import { deletedSchema } from "@hookwright/domain";
import { success } from "../../response/api-response.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostRecordRoutes = [
  defineHostRoute({
    method: "DELETE",
    path: "/host/v1/accounts/{id}/records/{kind}/{record}",
    operationId: "deleteRecord",
    summary: "Remove a business record",
    scope: "publish",
    reads: "few",
    query: noQuery,
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.records.remove(parameter("id"), parameter("kind"), parameter("record"), origin)),
  }),
];
