import type { AttemptRow } from "./delivery-row.ts";

/**
 * Most rows are smaller than this. Their entries in the log's index have no value, because an empty value costs nothing in Redis. All
 * entries of versions before the size limit are empty as well.
 */
const smallRowBytes = 1_024;
/** Every small row counts as so many bytes. */
const bytesOfSmallRow = 768;
/** A UTF-16 unit is at most so many bytes of UTF-8. */
const mostBytesPerUnit = 3;

/** The value of a delivery's entry in the log's index: the size of its row in bytes, empty for a small row. */
export function renderRowSize(row: string): string {
  if (row.length * mostBytesPerUnit <= smallRowBytes) return "";
  const bytes = Buffer.byteLength(row);
  return bytes <= smallRowBytes ? "" : String(bytes);
}

/** The bytes that a row counts as, by the value of its entry in the index. */
export function parseRowSize(value: string): number {
  const bytes = Number(value);
  return value === "" || !Number.isSafeInteger(bytes) ? bytesOfSmallRow : bytes;
}

/** About what one attempt adds to a delivery log, in bytes. */
export function estimateAttemptBytes({ headers, excerpt, body }: AttemptRow): number {
  let bytes = bytesOfSmallRow + excerpt.length;
  for (const text of headers) bytes += text.length;
  return typeof body === "string" ? bytes + body.length : bytes;
}
