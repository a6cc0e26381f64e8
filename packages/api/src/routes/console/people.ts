import { acceptanceSchema, ownChangeSchema, personChangeSchema, personInputSchema } from "@hookwright/domain";
import { pageQuery } from "../../request/query-parameters.ts";
import { onePage, pageSuccess, success } from "../../response/api-response.ts";
import { linkHeaders } from "../../response/link-headers.ts";
import { defineConsoleRoute, definePublicRoute } from "../../routing/define-route.ts";

/** The people of an account, their invitations and sessions. */
export const consolePeopleRoutes = [
  /** With open invitations. There is only one page. */
  defineConsoleRoute("GET", "/console/api/people", {
    right: "read",
    reads: "page",
    handle: async ({ service, caller }) =>
      pageSuccess({ rows: await service.people.list(caller.accountId), meta: onePage }),
  }),
  /** Only this response contains the link. */
  defineConsoleRoute("POST", "/console/api/people", {
    right: "people",
    reads: "page",
    body: { schema: personInputSchema },
    handle: async ({ service, caller, body, origin, basePath, context: { publicUrl } }) =>
      success(
        await service.people.invite(caller.accountId, body, { basePath: publicUrl ?? basePath(), origin }),
        { created: true },
      ),
  }),
  defineConsoleRoute("PATCH", "/console/api/people/{id}", {
    right: "people",
    reads: "page",
    body: { schema: personChangeSchema },
    handle: async ({ service, caller, parameter, body, origin }) =>
      success(await service.people.change(caller.accountId, parameter("id"), body, origin)),
  }),
  /** Also withdraws an invitation. */
  defineConsoleRoute("DELETE", "/console/api/people/{id}", {
    right: "people",
    reads: "page",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.people.remove(caller.accountId, parameter("id"), origin)),
  }),
  /** The caller's own name, time zone and password. Not for read-only sessions, which the use case checks. */
  defineConsoleRoute("PATCH", "/console/api/me", {
    right: "any",
    reads: "few",
    body: { schema: ownChangeSchema },
    handle: async ({ service, caller, token, body, client, origin }) =>
      success(await service.sessions.changeOwn(caller, body, { token, client: client(), origin })),
  }),
  definePublicRoute("GET", "/console/api/invitations/{token}", {
    handle: async ({ service, parameter, client }) => ({
      ...success(await service.sessions.getInvitation(parameter("token"), client())),
      headers: linkHeaders,
    }),
  }),
  /** Works once. */
  definePublicRoute("POST", "/console/api/invitations/{token}", {
    body: { schema: acceptanceSchema },
    handle: async ({ service, parameter, body, client, origin }) =>
      success(await service.sessions.acceptInvitation(parameter("token"), body, client(), origin), {
        created: true,
      }),
  }),
  /** All sessions for owners, otherwise the caller's own. */
  defineConsoleRoute("GET", "/console/api/sessions", {
    right: "read",
    reads: "scan",
    query: pageQuery,
    handle: async ({ service, caller, query }) => pageSuccess(await service.sessions.list(caller, query)),
  }),
  /** Of others only with the right `people`, which the use case checks. */
  defineConsoleRoute("DELETE", "/console/api/sessions/{id}", {
    always: true,
    right: "any",
    reads: "few",
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.sessions.end(caller, parameter("id"), origin)),
  }),
];
