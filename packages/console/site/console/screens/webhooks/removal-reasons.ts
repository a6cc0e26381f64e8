import type { ConsoleWebhook } from "@hookwright/domain";

/** Why a webhook was removed. */
export const removalReasons: Readonly<Record<NonNullable<ConsoleWebhook["status_reason"]>, string>> = {
  person: "somebody deleted it",
  failures: "too many attempts failed",
  host: "the operator disabled it",
  gone: "its endpoint answered 410",
  key_revoked: "the API key that created it was revoked",
};
