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
