import { HookwrightError } from "./errors.ts";

/** Tags are never removed, so their number needs a limit. */
const maximumTagsKept = 1_000;

/**
 * Adds new tags to existing ones, in order of first appearance. Tags are trimmed, blank ones are dropped,
 * case is kept. Returns `existing` itself if nothing is new.
 *
 * @throws HookwrightError `validation_failed` if there would be more than 1,000 tags
 */
export function joinTags(
  existing: readonly string[],
  added: readonly string[] | undefined,
): readonly string[] {
  if (added === undefined || added.length === 0) return existing;
  const joined = new Set(existing);
  // Not the length of the list, because a published record may contain duplicate tags.
  const known = joined.size;
  for (const tag of added) {
    const trimmed = tag.trim();
    if (trimmed !== "") joined.add(trimmed);
  }
  if (joined.size === known) return existing;
  if (joined.size > maximumTagsKept) {
    throw new HookwrightError(
      "validation_failed",
      `tags: must not exceed ${maximumTagsKept} in all for one person`,
    );
  }
  return [...joined];
}

/** Normalises tags for responses: trimmed, without blanks and duplicates, in order of first appearance. */
export function tidyTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== "");
}
