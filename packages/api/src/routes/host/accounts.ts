import {
  accountInputSchema,
  accountStatusSchema,
  apiKeyInputSchema,
  consoleLinkInputSchema,
  consoleLinkSchema,
  consoleWebhookInputSchema,
  consoleWebhookSchema,
  createdApiKeySchema,
  createdConsoleWebhookSchema,
  deletedSchema,
  emailListInputSchema,
  emailListSchema,
  hostAccountSchema,
  ledgerSchema,
  listedAccountSchema,
  personSchema,
  projectInputSchema,
  projectSchema,
  readAccountSchema,
  signedOutSchema,
  toDeliveryRules,
} from "@hookwright/domain";
import { z } from "zod";
import { filter, ledgerQuery, pageQuery, periodParameter } from "../../request/query-parameters.ts";
import { onePage, pageSuccess, success } from "../../response/api-response.ts";
import { writtenSuccess } from "../../response/written-success.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

const revokedSchema = z.object({
  id: z.string().meta({ description: "Id of the key.", example: "key_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
  revoked: z.literal(true).meta({ description: "Always true." }),
});

/** Accounts, and what belongs to them. */
export const hostAccountRoutes = [
  defineHostRoute("PUT", "/host/v1/accounts/{id}", {
    operationId: "putAccount",
    summary: "Create or update an account",
    scope: "manage",
    reads: "few",
    body: { schema: accountInputSchema },
    written: "id",
    answers: { 200: hostAccountSchema, 201: hostAccountSchema },
    handle: async ({ service, parameter, body, mayRead, origin }) => {
      const { account, created } = await service.accounts.put(parameter("id"), body, origin);
      return writtenSuccess({ data: account, created, body, schema: accountInputSchema, mayRead });
    },
  }),
  defineHostRoute("GET", "/host/v1/accounts", {
    scope: "read",
    operationId: "listAccounts",
    summary: "All accounts",
    description: "They are in the order of their ids, or those with most events come first.",
    reads: "scan",
    query: pageQuery.extend({
      status: accountStatusSchema.optional(),
      q: filter("A part of the id, the name or the e-mail address.", "bakery"),
      sort: z
        .enum(
          ["not_delivered", "failed", "volume", "log_size"],
          "must be `not_delivered`, `failed`, `volume` or `log_size`",
        )
        .optional()
        .meta({
          description:
            "Only accounts with events in the period: those with most events that were not delivered, failed, or are due. `log_size`: those with the largest delivery logs, as they were measured in the last hour. Without it, and without `period`, all accounts are sorted by id.",
          example: "not_delivered",
        }),
      period: periodParameter.optional(),
    }),
    list: true,
    answers: { 200: listedAccountSchema },
    handle: async ({ service, query: { status, q, sort, period, ...page } }) =>
      pageSuccess(await service.accounts.list({ status, q, sort, period }, page)),
  }),
  defineHostRoute("GET", "/host/v1/accounts/{id}", {
    scope: "read",
    operationId: "getAccount",
    summary: "One account",
    reads: "few",
    answers: { 200: readAccountSchema },
    async handle({ service, parameter, context: { defaults } }) {
      const account = await service.accounts.get(parameter("id"));
      const delivery_in_effect = toDeliveryRules(account.delivery, defaults.delivery);
      return success({ ...account, delivery_in_effect });
    },
  }),
  defineHostRoute("GET", "/host/v1/accounts/{id}/ledger", {
    scope: "read",
    operationId: "getAccountLedger",
    summary: "What became of the events of an account",
    reads: "scan",
    query: ledgerQuery,
    answers: { 200: ledgerSchema },
    handle: async ({ service, parameter, query }) => {
      const { id } = await service.accounts.get(parameter("id"));
      return success(await service.overview.getLedger(id, query));
    },
  }),
  defineHostRoute("GET", "/host/v1/accounts/{id}/people", {
    scope: "read",
    operationId: "listAccountPeople",
    summary: "The people of an account",
    description: "The list includes open invitations. It has only one page.",
    reads: "page",
    list: true,
    answers: { 200: personSchema },
    handle: async ({ service, parameter }) =>
      pageSuccess({ rows: await service.people.list(parameter("id")), meta: onePage }),
  }),
  defineHostRoute("DELETE", "/host/v1/accounts/{id}", {
    scope: "manage",
    operationId: "deleteAccount",
    summary: "Remove an account",
    description:
      "It removes all data of the account. It waits until no attempt is on its way, at most 15 s, so it can take 20 s. One entry of the audit log stays.",
    reads: "removal",
    answers: { 200: deletedSchema },
    handle: async ({ service, parameter, origin }) =>
      success(await service.accounts.remove(parameter("id"), origin)),
  }),
  defineHostRoute("PUT", "/host/v1/projects/{id}", {
    operationId: "putProject",
    summary: "Create or update a site",
    scope: "manage",
    reads: "few",
    body: { schema: projectInputSchema },
    written: "id",
    answers: { 200: projectSchema, 201: projectSchema },
    handle: async ({ service, parameter, body, mayRead, origin }) => {
      const { project, created } = await service.projects.put(parameter("id"), body, origin);
      return writtenSuccess({ data: project, created, body, schema: projectInputSchema, mayRead });
    },
  }),
  defineHostRoute("PUT", "/host/v1/email-lists/{id}", {
    operationId: "putEmailList",
    summary: "Create or update an email list",
    scope: "manage",
    reads: "few",
    body: { schema: emailListInputSchema },
    written: "id",
    answers: { 200: emailListSchema, 201: emailListSchema },
    handle: async ({ service, parameter, body, mayRead, origin }) => {
      const { emailList, created } = await service.emailLists.put(parameter("id"), body, origin);
      return writtenSuccess({ data: emailList, created, body, schema: emailListInputSchema, mayRead });
    },
  }),
  defineHostRoute("POST", "/host/v1/accounts/{id}/api-keys", {
    operationId: "createApiKey",
    summary: "Create an API key",
    description: "The response contains the key, only this once. An account has at most 100 active keys.",
    scope: "manage",
    reads: "few",
    body: { schema: apiKeyInputSchema },
    answers: { 201: createdApiKeySchema },
    refusals: ["invalid_state"],
    handle: async ({ service, parameter, body, origin }) =>
      success(await service.apiKeys.create(parameter("id"), body, origin), { created: true }),
  }),
  defineHostRoute("POST", "/host/v1/api-keys/{id}/revoke", {
    operationId: "revokeApiKey",
    summary: "Revoke an API key",
    description: "It stops working immediately, and its webhooks are removed.",
    scope: "manage",
    reads: "scan",
    answers: { 200: revokedSchema },
    handle: async ({ service, parameter, origin }) =>
      success(await service.apiKeys.revoke(parameter("id"), undefined, origin)),
  }),
  defineHostRoute("POST", "/host/v1/accounts/{id}/webhooks", {
    operationId: "createWebhookOfAccount",
    summary: "Create a webhook of an account",
    description:
      "The response to a new one contains its signing secret, only this once. An existing webhook with the same URL and events is returned as it is.",
    scope: "manage",
    reads: "few",
    body: { schema: consoleWebhookInputSchema },
    answers: { 200: consoleWebhookSchema, 201: createdConsoleWebhookSchema },
    refusals: [
      "unknown_event",
      "invalid_target_url",
      "invalid_project",
      "invalid_state",
      "webhook_limit_reached",
    ],
    handle: async ({ service, parameter, body, origin }) => {
      const { id: accountId } = await service.accounts.get(parameter("id"));
      const caller = { accountId, credential: { type: "console" } } as const;
      const { webhook, created } = await service.webhooks.createForConsole(caller, body, origin);
      return success(webhook, { created });
    },
  }),
  defineHostRoute("POST", "/host/v1/accounts/{id}/console-sessions", {
    scope: "manage",
    operationId: "createConsoleSession",
    summary: "Create a link to the console",
    description: "It opens the console of the account once.",
    reads: "few",
    body: { schema: consoleLinkInputSchema, optional: true },
    answers: { 201: consoleLinkSchema },
    handle: async ({ service, parameter, body, origin, basePath, context: { publicUrl } }) =>
      success(
        await service.sessions.createLink(parameter("id"), body, {
          basePath: publicUrl ?? basePath(),
          origin,
        }),
        { created: true },
      ),
  }),
  defineHostRoute("DELETE", "/host/v1/accounts/{id}/console-sessions", {
    scope: "manage",
    operationId: "endConsoleSessions",
    summary: "End all console sessions of an account",
    description: "Its unused links stop working, too.",
    reads: "few",
    answers: { 200: signedOutSchema },
    handle: async ({ service, parameter, origin }) =>
      success(await service.sessions.removeAll(parameter("id"), origin)),
  }),
];
