import { deliveryDetailSchema, deliverySchema } from "@hookwright/domain";
import { noQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { defineDeveloperRoute } from "../../routing/define-route.ts";
import { deliveriesQuery } from "../console/deliveries.ts";

export const developerDeliveryRoutes = [
  defineDeveloperRoute({
    method: "GET",
    path: "/developer/v1/deliveries",
    operationId: "listDeveloperDeliveries",
    summary: "The delivery log. An API key sees the deliveries of the webhooks that it created.",
    reads: "scan",
    query: deliveriesQuery,
    answers: { 200: deliverySchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.developer.listDeliveries(caller, filters, { limit, cursor })),
  }),
  defineDeveloperRoute({
    method: "GET",
    path: "/developer/v1/deliveries/{id}",
    operationId: "getDeveloperDelivery",
    summary: "One delivery with all its attempts",
    reads: "scan",
    query: noQuery,
    answers: { 200: deliveryDetailSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.developer.getDelivery(caller, parameter("id"))),
  }),
  defineDeveloperRoute({
    method: "POST",
    path: "/developer/v1/deliveries/{id}/resend",
    operationId: "resendDeveloperDelivery",
    summary: "Send the current record again",
    changes: true,
    sends: true,
    reads: "few",
    query: noQuery,
    answers: { 201: deliverySchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service, caller, parameter, origin }) =>
      success(await service.developer.resend(caller, parameter("id"), origin), { created: true }),
  }),
];
