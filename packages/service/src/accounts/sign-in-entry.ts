import type { Entry } from "@hookwright/storage";

/** Much longer than a change of an account takes. */
const recentMs = 60_000;

/**
 * The value of an entry of the sign-in index. Every value is unique, so that the removal of an entry cannot remove a newer one.
 *
 * @param now milliseconds since the epoch
 */
export function renderSignInEntry(mark: string, now: number): string {
  return `${mark}.${now.toString(36)}`;
}

/** Whether the change that wrote an entry may still be in progress. Older versions wrote entries without a time. */
export function isRecentEntry({ value }: Entry, now: number): boolean {
  const [, time = ""] = value.split(".");
  return Math.abs(now - Number.parseInt(time, 36)) < recentMs;
}
