import { toPreciseTimestamp, toTimestamp } from "@hookwright/domain";

/** The wire form of an optional time in milliseconds. */
export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}

/** As {@link toTimestampOrNull}, with milliseconds. */
export function toPreciseTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toPreciseTimestamp(ms);
}
