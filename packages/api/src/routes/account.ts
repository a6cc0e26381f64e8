import { accountSchema, projectSchema } from "@hookwright/domain";
import { pageQuery } from "../request/query-parameters.ts";
import { pageSuccess, success } from "../response/api-response.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

/** The account and its sites. */
export const accountRoutes = [
  defineAccountRoute("GET", "/v1/me", {
    operationId: "getAccount",
    summary: "The account that owns the key",
    description: "The account with its time zone and its plan.",
    right: "any",
    reads: "few",
    answers: { 200: accountSchema },
    handle: async ({ caller }) => {
      // `status` is left out: only the host needs it, and an account that can read this is always "active".
      const { id, name, email, timezone, plan, demo, created_at } = caller.account;
      return success({ id, name, email, timezone, plan, demo, created_at });
    },
  }),
  defineAccountRoute("GET", "/v1/projects", {
    operationId: "listProjects",
    summary: "The account's sites",
    description:
      "Newest first. Each site has its own time zone. Dates and times that customers chose are in that time zone.",
    right: "read",
    reads: "page",
    query: pageQuery,
    answers: { 200: projectSchema },
    list: true,
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.projects.list(caller.accountId, query)),
  }),
];
