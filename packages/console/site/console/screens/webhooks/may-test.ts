import type { ConsoleWebhook } from "@hookwright/domain";

/** Whether the server sends a test to a webhook with this status. */
export function mayTest(status: ConsoleWebhook["status"]): boolean {
  return status !== "paused" && status !== "disabled_by_host";
}
