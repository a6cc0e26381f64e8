import { toTimestamp } from "@hookwright/domain";

/** The wire form of a time in milliseconds that may not have come yet. */
export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
