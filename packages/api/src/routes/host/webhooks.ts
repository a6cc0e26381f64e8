import { attemptSchema, consoleWebhookSchema, disableInputSchema } from "@hookwright/domain";
import type { ConsoleWebhook } from "@hookwright/domain";
import type { ChangeOrigin, Service } from "@hookwright/service";
import { success } from "../../response/api-response.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

type Act = (
  webhooks: Service["webhooks"],
  accountId: string,
  webhookId: string,
  change: { readonly body: unknown; readonly origin: ChangeOrigin },
) => Promise<ConsoleWebhook>;

interface Action {
  readonly operationId: string;
  readonly summary: string;
  readonly act: Act;
  /** @default no body */
  readonly body?: { readonly schema: typeof disableInputSchema };
}

/** An action on a webhook of any account. It returns the webhook's new state. */
function defineAction<Path extends `/host/v1/webhooks/{id}/${string}`>(
  path: Path,
  { operationId, summary, act, body: expected }: Action,
) {
  return defineHostRoute<`/host/v1/webhooks/{id}/${string}`, typeof noQuery>({
    method: "POST",
    path,
    operationId,
    summary,
    scope: "manage",
    reads: "scan",
    query: noQuery,
    ...(expected && { body: expected }),
    answers: { 200: consoleWebhookSchema },
    refusals: ["resource_not_found", "invalid_state"],
    handle: async ({ service: { webhooks }, parameter, body, origin }) => {
      const id = parameter("id");
      return success(await act(webhooks, await webhooks.accountOf(id), id, { body, origin }));
    },
  });
}

/** What the operator does to one webhook (contract: The host API). */
export const hostWebhookRoutes = [
  defineAction("/host/v1/webhooks/{id}/disable", {
    operationId: "disableAnyWebhook",
    summary:
      "Disable a webhook. Its owner sees the reason, and cannot enable it or make another one with its URL.",
    body: { schema: disableInputSchema },
    act: (webhooks, accountId, id, { body, origin }) => webhooks.disable(accountId, id, body, origin),
  }),
  defineAction("/host/v1/webhooks/{id}/enable", {
    operationId: "enableAnyWebhook",
    summary:
      "Enable a webhook again. It gets the status from before. If it was removed, only its URL is allowed again.",
    act: (webhooks, accountId, id, { origin }) => webhooks.enable(accountId, id, origin),
  }),
  defineAction("/host/v1/webhooks/{id}/pause", {
    operationId: "pauseAnyWebhook",
    summary: "Pause a webhook. Its owner can resume it.",
    act: (webhooks, accountId, id, { origin }) => webhooks.pause(accountId, id, origin),
  }),
  defineAction("/host/v1/webhooks/{id}/resume", {
    operationId: "resumeAnyWebhook",
    summary: "Resume a paused webhook",
    act: (webhooks, accountId, id, { origin }) => webhooks.resume(accountId, id, origin),
  }),
  defineAction("/host/v1/webhooks/{id}/turn-on", {
    operationId: "turnAnyWebhookOn",
    summary: "Turn on a webhook that was switched off after thirty failures in a row",
    act: (webhooks, accountId, id, { origin }) => webhooks.turnOn(accountId, id, origin),
  }),
  defineHostRoute({
    method: "POST",
    path: "/host/v1/webhooks/{id}/test",
    operationId: "testAnyWebhook",
    summary: "Send a test and wait for the response, also if the operator has disabled the webhook",
    scope: "manage",
    reads: "scan",
    query: noQuery,
    answers: { 200: attemptSchema },
    refusals: ["resource_not_found", "invalid_state", "account_unavailable", "plan_required", "rate_limited"],
    handle: async ({ service: { webhooks }, parameter, origin }) => {
      const id = parameter("id");
      return success(await webhooks.sendOperatorTest(await webhooks.accountOf(id), id, origin));
    },
  }),
];
