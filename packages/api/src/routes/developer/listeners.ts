import {
  createdListenerSchema,
  deletedSchema,
  listenerInputSchema,
  listenerResultInputSchema,
  listenerResultSchema,
  triggeredSchema,
  triggerInputSchema,
} from "@hookwright/domain";
import { toClientNetwork } from "@hookwright/service";
import { z } from "zod";
import { checkAccount } from "../../access/check-account.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { success } from "../../response/api-response.ts";
import { eventStream } from "../../response/event-stream.ts";
import { defineDeveloperRoute } from "../../routing/define-route.ts";

/** Bodies of triggered events are stored until they expire. */
const triggerLimitBytes = 64 * 1_024;

export const listenerRoutes = [
  defineDeveloperRoute({
    method: "POST",
    path: "/developer/v1/listeners",
    operationId: "createListener",
    summary: "Create a listener for a program on your machine. An account has at most ten.",
    changes: true,
    reads: "few",
    query: noQuery,
    body: { schema: listenerInputSchema },
    answers: { 201: createdListenerSchema },
    refusals: ["unknown_event", "invalid_project", "invalid_state"],
    handle: async ({ service, caller, body, origin }) =>
      success(await service.listeners.create(caller, body, origin), { created: true }),
  }),
  defineDeveloperRoute({
    method: "DELETE",
    path: "/developer/v1/listeners/{id}",
    operationId: "deleteListener",
    summary: "Remove a listener and end its streams",
    changes: true,
    reads: "few",
    query: noQuery,
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.listeners.remove(caller, parameter("id"))),
  }),
  defineDeveloperRoute({
    method: "GET",
    path: "/developer/v1/listeners/{id}/events",
    operationId: "streamListenerEvents",
    summary: "The deliveries of a listener as server-sent events",
    // The stream keeps the listener alive.
    changes: true,
    reads: "few",
    query: noQuery,
    answers: { 200: z.string() },
    bare: true,
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, token, parameter, header, client }) =>
      eventStream(
        await service.listeners.open(parameter("id"), {
          network: toClientNetwork(client().clientAddress),
          token,
          caller,
          check: (current) => checkAccount(current, { changes: true }),
          lastEventId: header("last-event-id") ?? undefined,
        }),
      ),
  }),
  defineDeveloperRoute({
    method: "POST",
    path: "/developer/v1/listeners/{id}/events/{delivery}/result",
    operationId: "reportListenerResult",
    summary: "Report what the program behind the listener answered",
    changes: true,
    reads: "few",
    query: noQuery,
    body: { schema: listenerResultInputSchema },
    answers: { 200: listenerResultSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter, body }) =>
      success(await service.listeners.report(caller, parameter("id"), parameter("delivery"), body)),
  }),
  defineDeveloperRoute({
    method: "POST",
    path: "/developer/v1/trigger",
    operationId: "triggerEvent",
    summary: "Send a sample event to your listeners only",
    changes: true,
    reads: "few",
    query: noQuery,
    body: { schema: triggerInputSchema },
    bodyLimitBytes: triggerLimitBytes,
    answers: { 201: triggeredSchema },
    refusals: ["unknown_event", "invalid_project", "invalid_state"],
    handle: async ({ service, caller, body }) =>
      success(await service.listeners.trigger(caller, body), { created: true }),
  }),
];
