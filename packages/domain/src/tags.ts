import { HookwrightError } from "./errors.ts";

/** Tags are never removed, so each person's set needs a bound of its own. */
const maximumTagsKept = 1_000;

/**
 * The tags there are, then those that are new, in order of first appearance. Each is trimmed, blank ones are dropped,
 * case is kept: `VIP` and `vip` are two tags. Gives `existing` itself back when nothing is new.
 *
 * @throws HookwrightError `validation_failed` when there would be more than 1,000.
 */
export function joinTags(
  existing: readonly string[],
  added: readonly string[] | undefined,
): readonly string[] {
  if (added === undefined || added.length === 0) return existing;
  const joined = new Set(existing);
  // Not how long the list is: a record that a host published may name a tag twice.
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

/** Tags as they are answered: trimmed, none blank, none twice, in order of first appearance. */
export function tidyTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== "");
}
