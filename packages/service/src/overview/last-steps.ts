import type { LedgerQuery } from "@hookwright/delivery";

/** The period of the last steps. The last one is not over. */
export function lastSteps(
  { stepSeconds, steps }: { readonly stepSeconds: number; readonly steps: number },
  now: number,
): Pick<LedgerQuery, "since" | "until" | "stepSeconds" | "now"> {
  return { since: now - (steps - 1) * stepSeconds * 1_000, until: now + 1, stepSeconds, now };
}
