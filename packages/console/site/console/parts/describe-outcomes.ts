import { outcomes } from "../state/ledger.ts";
import type { Outcome } from "../state/ledger.ts";
import { formatCount } from "./format.ts";

/** What became of the events, without what did not happen. @example "8 delivered, 3 not sent" */
export function describeOutcomes(numbers: Readonly<Record<Outcome, number>>): string {
  const parts = outcomes
    .filter(({ name }) => numbers[name] > 0)
    .map(({ name, title }) => `${formatCount(numbers[name])} ${title.toLowerCase()}`);
  return parts.length === 0 ? "no event" : parts.join(", ");
}
