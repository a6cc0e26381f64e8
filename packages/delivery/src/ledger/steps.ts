import { ledgerSteps, startOfStep as startOf } from "@hookwright/domain";
import type { Key } from "@hookwright/storage";
import { ledgerTables } from "../storage/keys.ts";

export { ledgerSteps, startOf };
export type LedgerStep = (typeof ledgerSteps)[number];

export const minuteMs = 60_000;
const longest = ledgerSteps[3];

/** When the sums of a step that begins then expire, in milliseconds. */
export function expiryOf(at: number, step: LedgerStep): number {
  return at + lifetimeOf(step);
}

/** When a sum that is not folded expires, in milliseconds. */
export function openExpiryOf(at: number): number {
  return startOf(at, 60) + lifetimeOf(longest);
}

/** How long a row of the ledger lives, in milliseconds. `undefined`: it is another row. */
export function ledgerLifetimeMs([, table = "", , stepSeconds]: Key): number | undefined {
  if (!ledgerTables.includes(String(table))) return undefined;
  const step = table === "ledger" ? ledgerSteps.find(({ seconds }) => seconds === stepSeconds) : undefined;
  return lifetimeOf(step ?? longest);
}

function lifetimeOf({ seconds, keptSeconds }: LedgerStep): number {
  return (seconds + keptSeconds) * 1_000;
}
