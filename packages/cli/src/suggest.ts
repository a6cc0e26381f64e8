import { findNearest } from "@hookwright/domain";

/**
 * The suggestion after an unknown name. Empty if no known name is similar.
 *
 * @example suggest("lisen", ["listen"], "") // " (did you mean listen?)"
 */
export function suggest(text: string, known: readonly string[], prefix: string): string {
  const nearest = findNearest(text, known);
  return nearest === undefined ? "" : ` (did you mean ${prefix}${nearest}?)`;
}
