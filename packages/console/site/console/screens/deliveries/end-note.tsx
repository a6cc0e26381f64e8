import type { ConsoleWebhook, DeliveryDetail } from "@hookwright/domain";
import { formatTime } from "../../parts/time.tsx";
import { hrefTo } from "../../state/use-route.ts";
import { useTimeZone } from "../../state/use-time-zone.ts";
import { explainEnd, findCause } from "./explain-end.ts";

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
    <p class={end === undefined ? "quiet" : `note ${delivery.status === "failed" ? "bad" : "idle"}`}>
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
