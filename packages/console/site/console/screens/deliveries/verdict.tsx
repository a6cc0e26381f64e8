import type { Attempt, DeliveryDetail } from "@hookwright/domain";
import type { ComponentChildren } from "preact";
import { AttemptResult } from "../../parts/attempt-result.tsx";
import { DeliveryStatus } from "../../parts/cells.tsx";

export interface VerdictProps {
  readonly delivery: Pick<DeliveryDetail, "status" | "attempts" | "attempts_made">;
  /** Undefined: none was made. */
  readonly attempt: Attempt | undefined;
  /** How the delivery ended. */
  readonly children?: ComponentChildren;
}

/** The only place that says what came of a delivery: its status, a sentence, and the first line of the response. */
export function Verdict({ delivery, attempt, children }: VerdictProps) {
  return (
    <section class={`note verdict ${toneOf(delivery, attempt)}`} aria-label="Result">
      <p>
        <DeliveryStatus delivery={delivery} />{" "}
        {attempt === undefined || delivery.attempts.length < 2 ? null : (
          <span class="quiet">Attempt {attempt.number}</span>
        )}
      </p>
      {attempt === undefined ? null : <AttemptResult attempt={attempt} />}
      {children}
    </section>
  );
}

function toneOf({ status }: VerdictProps["delivery"], attempt: Attempt | undefined): string {
  if (attempt === undefined || status === "cancelled") return "idle";
  return attempt.error === null ? "good" : "bad";
}
