import type { WebhookRow } from "@hookwright/delivery";
import { HookwrightError } from "@hookwright/domain";

/**
 * Throws unless a webhook is active. Applies to resends and recoveries.
 *
 * @throws HookwrightError `invalid_state`
 */
export function expectActive({ status, disabled }: WebhookRow): void {
  if (status === "active") return;
  throw new HookwrightError(
    "invalid_state",
    {
      paused: "A webhook that is paused sends nothing again. Resume it first.",
      switched_off: "A webhook that is disabled sends nothing again. Turn it on first.",
      disabled_by_host: `The operator has disabled this webhook, so it sends nothing. Reason: ${disabled?.reason}`,
    }[status],
  );
}
