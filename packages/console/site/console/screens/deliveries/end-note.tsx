import type { ConsoleWebhook, Delivery, DeliveryDetail } from "@hookwright/domain";
import { formatTime, useTimeZone } from "../../parts/time.tsx";
import { hrefTo } from "../../state/route.ts";

export interface EndNoteProps {
  readonly delivery: DeliveryDetail;
  /** Undefined until it is loaded. */
  readonly webhook: ConsoleWebhook | undefined;
  /** Why the delivery cannot be sent again. */
  readonly refusal: string | undefined;
}

/** Why a delivery failed or was cancelled, why it cannot be sent again, and what helps. */
export function EndNote({ delivery, webhook, refusal }: EndNoteProps) {
  const timeZone = useTimeZone();
  const since = findCause(delivery, webhook);
  const end = explainEnd(delivery, since === undefined ? undefined : formatTime(since, timeZone));
  const isRefused = refusal !== undefined && delivery.kind !== "test";
  if (end === undefined && !isRefused) return null;
  return (
    <p class={end === undefined ? "quiet" : undefined}>
      {end}{" "}
      {isRefused ? (
        <>
          It cannot be sent again{delivery.cancel_reason === "webhook_removed" ? "" : `: ${refusal}`}.{" "}
          <a href={hrefTo(["webhooks", delivery.webhook_id])}>{nameWayOut(webhook?.status)}</a>
        </>
      ) : null}
    </p>
  );
}

/** The page of the webhook has the buttons. */
function nameWayOut(status: string | undefined): string {
  if (status === "switched_off") return "Turn on the webhook";
  return status === "paused" ? "Resume the webhook" : "Open the webhook";
}

type CancelReason = NonNullable<Delivery["cancel_reason"]>;

interface ReasonWords {
  readonly short: string;
  readonly sentence: string;
  /** Follows the time in the sentence. */
  readonly ending?: string;
}

const reasons: Readonly<Record<CancelReason, ReasonWords>> = {
  paused: { short: "webhook paused", sentence: "the webhook was paused" },
  switched_off: { short: "webhook disabled", sentence: "the webhook was disabled" },
  webhook_removed: { short: "webhook removed", sentence: "the webhook was removed" },
  record_deleted: {
    short: "record deleted",
    sentence: "the record was deleted",
    ending: " before it could be sent",
  },
  account_unavailable: { short: "account may not send", sentence: "the account may not send" },
};

/** How a delivery ended, in a few words. Undefined: it is still pending. */
export function nameEnd({
  status,
  cancel_reason,
}: Pick<Delivery, "status" | "cancel_reason">): string | undefined {
  if (status === "pending") return undefined;
  if (status === "delivered") return "Delivered";
  if (status === "failed") return "Gave up";
  return cancel_reason === null ? "Cancelled" : `Cancelled: ${reasons[cancel_reason].short}`;
}

/**
 * Why a delivery failed or was cancelled. Undefined if neither happened.
 *
 * @param cancelledSince when the cause of the cancellation happened, in words: `27 Nov, 02:06:04`. Undefined: unknown
 */
export function explainEnd(
  { status, cancel_reason, attempts_made }: Pick<Delivery, "status" | "cancel_reason" | "attempts_made">,
  cancelledSince?: string,
): string | undefined {
  if (status === "failed")
    return attempts_made === 1
      ? "Gave up after the only attempt."
      : `Gave up after ${attempts_made} attempts. Fix the endpoint, then resend.`;
  if (status !== "cancelled") return undefined;
  return `${attempts_made === 0 ? "No attempt was made" : "Cancelled"}: ${nameCause(cancel_reason, cancelledSince)}.`;
}

function nameCause(reason: CancelReason | null, since: string | undefined): string {
  if (reason === null) return "the reason was not recorded";
  const { sentence, ending = "" } = reasons[reason];
  return `${sentence}${since === undefined ? "" : ` on ${since}`}${ending}`;
}

/** When the cause of a cancellation happened: the webhook still has the status that it had then. Undefined: unknown. */
export function findCause(
  { cancel_reason, completed_at }: Pick<Delivery, "cancel_reason" | "completed_at">,
  webhook: Pick<ConsoleWebhook, "status" | "status_changed_at"> | undefined,
): string | undefined {
  const changedAt = webhook?.status_changed_at;
  const status: string | undefined = webhook?.status;
  if ((status === "removed" ? "webhook_removed" : status) !== cancel_reason) return undefined;
  if (!changedAt || completed_at === null) return undefined;
  return Date.parse(changedAt) <= Date.parse(completed_at) ? changedAt : undefined;
}
