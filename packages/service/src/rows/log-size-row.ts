import type { LogSize } from "@hookwright/delivery";
import { toTimestamp } from "@hookwright/domain";
import type { AccountLog } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "./keys.ts";

/** The size of the delivery log of an account, as the sweeper measured it. `at` is in milliseconds since the epoch. */
interface LogSizeRow extends LogSize {
  readonly at: number;
}

export function parseLogSize(text: string): LogSizeRow {
  return JSON.parse(text);
}

/** Undefined: the log was not measured yet, or is empty. */
export function toAccountLog(text: string | undefined): AccountLog | null {
  if (text === undefined) return null;
  const { count, bytes, at } = parseLogSize(text);
  return { deliveries: count, bytes, measured_at: toTimestamp(at) };
}

/** Stores the size of a log after a sweep. An empty log has no row. */
export async function writeLogSize(
  store: Store,
  accountId: string,
  { count, bytes }: LogSize,
  at: number,
): Promise<void> {
  const key = keys.logSize(accountId);
  const accountKey = keys.account(accountId);
  const [stored, account] = await store.getMany([key, accountKey]);
  if (account === undefined) return;
  const before = stored === undefined ? { count: 0, bytes: 0 } : parseLogSize(stored);
  if (before.count === count && before.bytes === bytes) return;
  const row: LogSizeRow = { count, bytes, at };
  await store.commit(key[0], {
    // A removed account must get no row. If the account changes at this moment, the next sweep writes it.
    checks: [{ key: accountKey, value: account }],
    mutations: [count === 0 ? { type: "delete", key } : { type: "set", key, value: JSON.stringify(row) }],
  });
}
