import type { ConsoleWebhook } from "@hookwright/domain";

/**
 * Why nothing can be sent again to a webhook. Undefined: it can, as far as is known.
 *
 * @param isGone the webhook does not exist any more
 */
export function explainRefusal(webhook: ConsoleWebhook | undefined, isGone: boolean): string | undefined {
  const status: string | undefined = isGone ? "removed" : webhook?.status;
  if (status === "removed") return "the webhook was removed";
  if (status === "paused") return "the webhook is paused";
  if (status === "switched_off") return "the webhook is disabled";
  if (status === "disabled_by_host") return "the operator has disabled the webhook";
  return undefined;
}
