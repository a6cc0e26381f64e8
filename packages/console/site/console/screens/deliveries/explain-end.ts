import type { Delivery } from "@hookwright/domain";

const cancelReasons: Readonly<Record<NonNullable<Delivery["cancel_reason"]>, string>> = {
  paused: "the webhook was paused",
  switched_off: "the webhook was disabled after too many failures",
  webhook_removed: "the webhook was removed",
  record_deleted: "the record was deleted before it could be sent",
  account_unavailable: "the account may not send",
};

/** Why a delivery failed or was cancelled. Undefined if neither happened. */
export function explainEnd({
  status,
  cancel_reason,
  attempts_made,
}: Pick<Delivery, "status" | "cancel_reason" | "attempts_made">): string | undefined {
  if (status === "failed")
    return attempts_made === 1
      ? "Gave up after the only attempt."
      : `Gave up after ${attempts_made} attempts. Fix the endpoint, then resend.`;
  if (status !== "cancelled") return undefined;
  const reason = cancel_reason === null ? "the reason was not recorded" : cancelReasons[cancel_reason];
  return attempts_made === 0 ? `No attempt was made: ${reason}.` : `Cancelled: ${reason}.`;
}
