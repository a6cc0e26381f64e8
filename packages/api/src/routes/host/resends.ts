import { resendInputSchema, resendPreviewSchema, resendSchema } from "@hookwright/domain";
import { isDryRun } from "../../request/is-dry-run.ts";
import { pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

/** What support staff send again of one account. */
export const hostResendRoutes = [
  defineHostRoute("POST", "/host/v1/accounts/{id}/resends", {
    operationId: "startResend",
    summary: "Send again what a filter matches",
    description:
      "It sends all matching deliveries of the account again, in the background. With `dry_run` it only counts them, and the status is 200.",
    scope: "manage",
    reads: "scan",
    body: { schema: resendInputSchema },
    answers: { 200: resendPreviewSchema, 201: resendSchema },
    refusals: ["invalid_state", "invalid_project", "unknown_event", "account_unavailable", "plan_required"],
    handle: async ({ service: { accounts, resends }, parameter, body, origin }) => {
      const { id } = await accounts.get(parameter("id"));
      return isDryRun(body)
        ? success(await resends.preview(id, body))
        : success(await resends.start(id, body, origin), { created: true });
    },
  }),
  defineHostRoute("GET", "/host/v1/accounts/{id}/resends", {
    operationId: "listResends",
    summary: "The jobs of an account that send again",
    description: "The list includes its recoveries. The newest is first.",
    scope: "read",
    reads: "page",
    query: pageQuery,
    list: true,
    answers: { 200: resendSchema },
    handle: async ({ service: { accounts, resends }, parameter, query }) =>
      pageSuccess(await resends.list((await accounts.get(parameter("id"))).id, query)),
  }),
  defineHostRoute("GET", "/host/v1/accounts/{id}/resends/{job}", {
    operationId: "getResend",
    summary: "One job that sends again",
    description: "The response shows its progress.",
    scope: "read",
    reads: "few",
    answers: { 200: resendSchema },
    handle: async ({ service: { accounts, resends }, parameter }) =>
      success(await resends.get((await accounts.get(parameter("id"))).id, parameter("job"))),
  }),
  defineHostRoute("POST", "/host/v1/accounts/{id}/resends/{job}/stop", {
    operationId: "stopResend",
    summary: "Stop a job that sends again",
    description: "Deliveries that it has created are sent.",
    scope: "manage",
    reads: "few",
    answers: { 200: resendSchema },
    refusals: ["invalid_state"],
    handle: async ({ service: { accounts, resends }, parameter, origin }) => {
      const { id } = await accounts.get(parameter("id"));
      return success(await resends.stop(id, parameter("job"), origin));
    },
  }),
];
