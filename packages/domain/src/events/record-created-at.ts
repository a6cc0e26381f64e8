import { parseTimestamp } from "../timestamps.ts";

/**
 * When a record was created, in milliseconds since 1970: as it was sent, since the record itself has whole seconds. Lists are
 * ordered by it (contract §1 and §4).
 *
 * @param sent what `renderRecord` took
 * @param record what it gave
 */
export function recordCreatedAt(sent: unknown, record: { readonly created_at: string }): number {
  const asSent =
    typeof sent === "object" && sent !== null && "created_at" in sent ? sent.created_at : undefined;
  return parseTimestamp(typeof asSent === "string" ? asSent : record.created_at);
}

/**
 * When a record that is published again was created. What a host has from us has whole seconds, and says no more than was known: a
 * record must not move within its second for that.
 *
 * @param before milliseconds, as they were known; undefined for a record that is new
 * @param sent milliseconds, as they came now
 */
export function keepCreatedAt(before: number | undefined, sent: number): number {
  const isSameSecond = before !== undefined && Math.floor(before / 1_000) === Math.floor(sent / 1_000);
  return isSameSecond ? before : sent;
}
