import type { AttemptRow, DeliveryRow } from "./delivery-row.ts";

/** Up to this size, the index stores no size: an empty value costs nothing in Redis. Earlier versions stored none at all. */
const smallRowBytes = 1_024;
/** What a small row counts as. */
const bytesOfSmallRow = 768;
const maximumBytesPerUnit = 3;

/**
 * The value of an entry of the log index: the size of the row, and what `outcomeOf` needs beside its status. Earlier versions take
 * such a size for that of a small row.
 */
export function renderLogValue({ missed_at, accepted_later }: DeliveryRow, text: string): string {
  return `${renderRowSize(text)}${missed_at === undefined ? "" : "m"}${accepted_later === true ? "d" : ""}`;
}

/** Whether the delivery of an entry of the log index makes up for a missed event. */
export function isOfMissedEvent(logValue: string): boolean {
  return logValue.includes("m");
}

/** Whether the event of an entry of the log index was accepted after its delivery had ended. */
export function isAcceptedLater(logValue: string): boolean {
  return logValue.endsWith("d");
}

/** The size of a row in bytes of UTF-8, or nothing for a small row. */
export function renderRowSize(row: string): string {
  if (row.length * maximumBytesPerUnit <= smallRowBytes) return "";
  const bytes = Buffer.byteLength(row);
  return bytes <= smallRowBytes ? "" : String(bytes);
}

/** The bytes that a row counts as. */
export function parseRowSize(value: string): number {
  const bytes = Number.parseInt(value, 10);
  return Number.isSafeInteger(bytes) ? bytes : bytesOfSmallRow;
}

/** About how many bytes an attempt adds to the log. */
export function estimateAttemptBytes({ headers, excerpt, body, extra }: AttemptRow): number {
  let bytes = bytesOfSmallRow + excerpt.length;
  for (const name of extra?.custom_headers ?? []) bytes += name.length;
  for (const text of headers) bytes += text.length;
  return typeof body === "string" ? bytes + body.length : bytes;
}
