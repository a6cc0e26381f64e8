import { beginningOf } from "../beginning-of.ts";

/** The beginning of what was received, for a sentence. At most 100 characters by default. */
export function shorten(text: string, longest = 100): string {
  return text.length <= longest ? text : `${beginningOf(text, longest)}…`;
}
