import {
  accountInputSchema,
  accountStatusSchema,
  deletedSchema,
  hostAccountSchema,
} from "@hookwright/domain";
import { pageSuccess, success } from "../../response/api-response.ts";
import { writtenSuccess } from "../../response/written-success.ts";
import { filter, noQuery, pageQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

export const hostAccountRoutes = [
  defineHostRoute({
    method: "PUT",
    path: "/host/v1/accounts/{id}",
    operationId: "putAccount",
    summary: "Create or update an account",
    scope: "manage",
    reads: "few",
    query: noQuery,
    body: { schema: accountInputSchema },
    answers: { 200: hostAccountSchema, 201: hostAccountSchema },
    handle: async ({ service, parameter, body, mayRead, origin }) => {
      const { account, created } = await service.accounts.put(parameter("id"), body, origin);
      return writtenSuccess({ data: account, created, body, schema: accountInputSchema, mayRead });
    },
  }),
  defineHostRoute({
    method: "GET",
    scope: "read",
    path: "/host/v1/accounts",
    operationId: "listAccounts",
    summary: "All accounts, in the order of their ids",
    reads: "scan",
    query: pageQuery.extend({
      status: accountStatusSchema.optional(),
      q: filter("A part of the id, the name or the e-mail address.", "bakery"),
    }),
    list: true,
    answers: { 200: hostAccountSchema },
    refusals: ["invalid_cursor"],
    handle: async ({ service, query: { status, q, ...page } }) =>
      pageSuccess(await service.accounts.list({ status, q }, page)),
  }),
  defineHostRoute({
    method: "GET",
    scope: "read",
    path: "/host/v1/accounts/{id}",
    operationId: "getAccount",
    summary: "One account",
    reads: "few",
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
    reads: "removal",
    query: noQuery,
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, parameter, origin }) =>
      success(await service.accounts.remove(parameter("id"), origin)),
  }),
];
