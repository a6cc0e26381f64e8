import type { Entry, ListOptions } from "../port.ts";
import { decodeKey } from "./key-codec.ts";
import { toKeyRange } from "./key-range.ts";

/** A range of encoded keys: `from` is inclusive, `to` is exclusive. */
export interface ScannedRange {
  readonly from: string;
  readonly to: string;
  readonly reverse: boolean;
}

/**
 * Lists entries by scans of sorted rows. With `groupBy` it starts a new scan after each group, so the cost depends on the number
 * of groups.
 *
 * @param scan visits the rows of the range that have not expired, in order, until `visit` returns false
 * @throws {StorageError} `invalid_argument`, `invalid_key`, `key_too_long`
 */
export function listEntries(
  options: ListOptions,
  scan: (range: ScannedRange, visit: (encoded: string, value: string) => boolean) => void,
): Entry[] {
  const { prefix, groupOf, ...range } = toKeyRange(options);
  const { limit, reverse = false } = options;
  const entries: Entry[] = [];
  let { from, to } = range;
  if (groupOf === undefined) {
    if (from < to)
      scan({ from, to, reverse }, (encoded, value) => {
        entries.push({ key: decodeKey(encoded, prefix), value });
        return entries.length < limit;
      });
    return entries;
  }
  while (from < to && entries.length < limit) {
    let found: string | undefined;
    scan({ from, to, reverse }, (encoded, value) => {
      found = encoded;
      entries.push({ key: decodeKey(encoded, prefix), value });
      return false;
    });
    if (found === undefined) break;
    const group = groupOf(found);
    if (reverse) to = group.from;
    else from = group.to;
  }
  return entries;
}
