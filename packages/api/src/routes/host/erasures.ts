import { deletedSchema, erasureInputSchema, erasureSchema, startedErasureSchema } from "@hookwright/domain";
import { success } from "../../response/api-response.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

/** Removes the data of a person. */
export const hostErasureRoutes = [
  defineHostRoute("POST", "/host/v1/accounts/{id}/erasures", {
    operationId: "startErasure",
    summary: "Erase the data of a person",
    description:
      "In the background, it removes the contacts, subscriptions and records with the address, cancels the deliveries that wait for these records, and erases what the logs have of the person. No webhook gets anything because of it. It continues after a restart. What is published after the start is new data. At most ten run for an account at once. People of the account who sign in with the address stay.",
    scope: "manage",
    reads: "few",
    body: { schema: erasureInputSchema },
    answers: { 202: startedErasureSchema },
    refusals: ["invalid_state"],
    handle: async ({ service: { accounts, erasures }, parameter, body, origin }) => {
      const { id } = await accounts.get(parameter("id"));
      return { ...success(await erasures.start(id, body, origin)), status: 202 };
    },
  }),
  defineHostRoute("GET", "/host/v1/accounts/{id}/erasures/{erasure}", {
    operationId: "getErasure",
    summary: "The receipt of an erasure",
    description:
      "While the erasure runs, the response shows its progress. A receipt has only counts, and is kept for 90 days.",
    scope: "read",
    reads: "few",
    answers: { 200: erasureSchema },
    handle: async ({ service: { accounts, erasures }, parameter }) =>
      success(await erasures.get((await accounts.get(parameter("id"))).id, parameter("erasure"))),
  }),
  defineHostRoute("DELETE", "/host/v1/accounts/{id}/contacts/{contact}", {
    operationId: "deleteContact",
    summary: "Remove a contact",
    description:
      "With it go the subscriptions of its address on its site. Nothing is sent. Its other records stay, such as orders.",
    scope: "manage",
    reads: "few",
    answers: { 200: deletedSchema },
    refusals: ["invalid_state"],
    handle: async ({ service: { accounts, contacts }, parameter, origin }) => {
      const { id } = await accounts.get(parameter("id"));
      return success(await contacts.remove(id, parameter("contact"), origin));
    },
  }),
];
