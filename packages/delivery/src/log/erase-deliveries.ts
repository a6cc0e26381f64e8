import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import { parseIfReadable, renderDeliveryRow } from "../storage/delivery-codec.ts";
import { renderLogValue } from "../storage/log-value.ts";
import type { AttemptRow, DeliveryRow } from "../storage/delivery-row.ts";
import { keys } from "../storage/keys.ts";
import { logKeyOf } from "./delivery-log.ts";

/** A delivery of the log, with the text of its row. */
export interface LoggedRow {
  readonly key: Key;
  readonly text: string;
  /** Undefined: the row is damaged. */
  readonly delivery: DeliveryRow | undefined;
}

/** The oldest deliveries of the log, after a key. */
export async function listLoggedRows(
  store: Store,
  accountId: string,
  { limit, after }: { readonly limit: number; readonly after?: Key | undefined },
): Promise<LoggedRow[]> {
  const entries = await store.list({ prefix: keys.deliveries(accountId), limit, after });
  return entries.map(({ key, value: text }) => ({ key, text, delivery: parseIfReadable(text) }));
}

/** Removes what an attempt has sent and received. Its outcome stays. */
export function eraseAttempt(attempt: AttemptRow): AttemptRow {
  return { ...attempt, body: { gone: "erased" }, headers: [], excerpt: "", detail: null };
}

/**
 * Replaces a row of the log, if it is unchanged.
 *
 * @param redact changes the text of the row. It must keep its form
 */
export function replaceLoggedRow(
  accountId: string,
  { key, text }: LoggedRow,
  delivery: DeliveryRow,
  redact: (text: string) => string,
): { readonly checks: readonly Check[]; readonly mutations: readonly Mutation[] } {
  const value = redact(renderDeliveryRow(delivery));
  return {
    checks: [{ key, value: text }],
    mutations: [
      { type: "set", key, value },
      { type: "set", key: logKeyOf(accountId, delivery), value: renderLogValue(delivery, value) },
    ],
  };
}
