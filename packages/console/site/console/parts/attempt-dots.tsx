import type { Delivery } from "@hookwright/domain";

/** The attempts of the default retry schedule. */
export const usualAttempts = 6;

/** The attempts of a delivery: one dot for each. Of many attempts, the number is shown. */
export function AttemptDots({ delivery }: { readonly delivery: Delivery }) {
  const { attempts_made: made, status } = delivery;
  const text = made === 1 ? "1 attempt" : `${made} attempts`;
  if (made > usualAttempts) return <span title={text}>{made}</span>;
  const ahead = status === "pending" ? usualAttempts - made : 0;
  return (
    <span class="attempt-dots" role="img" aria-label={text} title={text}>
      {"●".repeat(made)}
      <span class="quiet">{"○".repeat(ahead)}</span>
    </span>
  );
}
