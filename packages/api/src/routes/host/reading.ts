import {
  accountStatusSchema,
  deletedSchema,
  hostAccountSchema,
  hostStatsSchema,
  hostWebhookSchema,
} from "@hookwright/domain";
import { z } from "zod";
import { filter, noQuery, pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

const webhookStatus = z
  .enum(["active", "paused", "switched_off"], "must be active, paused or switched_off")
  .optional()
  .meta({ description: "Only webhooks with this status.", example: "switched_off" });

/** What support staff look at, and the removal of an account. */
export const hostReadingRoutes = [
  defineHostRoute({
    method: "GET",
    scope: "read",
    path: "/host/v1/accounts",
    operationId: "listAccounts",
    summary: "All accounts, in the order of their ids",
    query: pageQuery.extend({
      status: accountStatusSchema.optional(),
      q: filter("A part of the id, the name or the e-mail address.", "bakery"),
    }),
    list: true,
    answers: { 200: hostAccountSchema },
    handle: async ({ service, query: { status, q, ...page } }) =>
      pageSuccess(await service.accounts.list({ status, q }, page)),
  }),
  defineHostRoute({
    method: "GET",
    scope: "read",
    path: "/host/v1/accounts/{id}",
    operationId: "getAccount",
    summary: "One account",
    query: noQuery,
    answers: { 200: hostAccountSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter }) => success(await service.accounts.get(parameter("id"))),
  }),
  defineHostRoute({
    method: "DELETE",
    scope: "manage",
    path: "/host/v1/accounts/{id}",
    operationId: "deleteAccount",
    summary: "Remove all data of an account; it takes up to 20 s",
    query: noQuery,
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter }) => success(await service.accounts.remove(parameter("id"))),
  }),
  defineHostRoute({
    method: "GET",
    scope: "read",
    path: "/host/v1/webhooks",
    operationId: "listAllWebhooks",
    summary: "The webhooks of all accounts",
    query: pageQuery.extend({ status: webhookStatus }),
    list: true,
    answers: { 200: hostWebhookSchema },
    handle: async ({ service, query: { status, ...page } }) =>
      pageSuccess(await service.webhooks.listAll({ status }, page)),
  }),
  defineHostRoute({
    method: "GET",
    scope: "read",
    path: "/host/v1/stats",
    operationId: "getStats",
    summary: "Numbers over all accounts",
    query: noQuery,
    answers: { 200: hostStatsSchema },
    handle: async ({ service }) => success(await service.stats()),
  }),
];
