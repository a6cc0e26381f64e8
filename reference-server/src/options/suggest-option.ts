import { findNearest } from "@hookwright/domain";

/**
 * What follows the name of an option that is not known; empty where none is near.
 *
 * @example suggestOption("prot", ["port", "host"]) // " (did you mean --port?)"
 */
export function suggestOption(flag: string, known: readonly string[]): string {
  const nearest = findNearest(flag, known);
  return nearest === undefined ? "" : ` (did you mean --${nearest}?)`;
}
