import { listenerInputSchema, listenerResultInputSchema, triggerInputSchema } from "@hookwright/domain";
import { toClientNetwork } from "@hookwright/service";
import { checkAccount } from "../../access/check-account.ts";
import { pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { eventStream } from "../../response/event-stream.ts";
import { defineDeveloperRoute } from "../../routing/define-route.ts";

/** Bodies of triggered events are stored until they expire. */
const triggerLimitBytes = 64 * 1_024;

export const listenerRoutes = [
  /** For a program on the machine of a developer. An account has at most ten. */
  defineDeveloperRoute("POST", "/developer/v1/listeners", {
    right: "webhooks",
    reads: "few",
    body: { schema: listenerInputSchema },
    handle: async ({ service, caller, body, origin }) =>
      success(await service.listeners.create(caller, body, origin), { created: true }),
  }),
  /** Ends its streams too. */
  defineDeveloperRoute("DELETE", "/developer/v1/listeners/{id}", {
    right: "webhooks",
    reads: "few",
    handle: async ({ service, caller, parameter }) =>
      success(await service.listeners.remove(caller, parameter("id"))),
  }),
  /** Its deliveries as server-sent events. */
  defineDeveloperRoute("GET", "/developer/v1/listeners/{id}/events", {
    // The stream keeps the listener alive.
    right: "webhooks",
    reads: "few",
    handle: async ({ service, caller, token, parameter, header, client }) =>
      eventStream(
        await service.listeners.open(parameter("id"), {
          network: toClientNetwork(client().clientAddress),
          token,
          caller,
          check: (current) => checkAccount(current, { right: "webhooks" }),
          lastEventId: header("last-event-id") ?? undefined,
        }),
      ),
  }),
  /** What the program behind the listener answered. */
  defineDeveloperRoute("POST", "/developer/v1/listeners/{id}/events/{delivery}/result", {
    right: "webhooks",
    reads: "few",
    body: { schema: listenerResultInputSchema },
    handle: async ({ service, caller, parameter, body }) =>
      success(await service.listeners.report(caller, parameter("id"), parameter("delivery"), body)),
  }),
  /** Sends a sample event to listeners only. */
  defineDeveloperRoute("POST", "/developer/v1/trigger", {
    right: "webhooks",
    reads: "few",
    body: { schema: triggerInputSchema },
    bodyLimitBytes: triggerLimitBytes,
    handle: async ({ service, caller, body }) =>
      success(await service.listeners.trigger(caller, body), { created: true }),
  }),
  /** An API key sees the webhooks that it created. */
  defineDeveloperRoute("GET", "/developer/v1/webhooks", {
    right: ["read", "webhooks"],
    reads: "page",
    query: pageQuery,
    handle: async ({ service, caller, query }) =>
      pageSuccess(await service.developer.listWebhooks(caller, query)),
  }),
];
