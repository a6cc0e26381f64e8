import { findNearest } from "@hookwright/domain";

/**
 * The suggestion after the name of an unknown option. Empty if no known name is similar.
 *
 * @example suggestOption("prot", ["port", "host"]) // " (did you mean --port?)"
 */
export function suggestOption(flag: string, known: readonly string[]): string {
  const nearest = findNearest(flag, known);
  return nearest === undefined ? "" : ` (did you mean --${nearest}?)`;
}
