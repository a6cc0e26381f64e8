import type { ClientBase } from "pg";

/** A column as text, or `null`. */
export type Column = string | null | undefined;
export type Row = readonly Column[];
export type Parameter = string | number | boolean | Uint8Array | readonly (string | number)[] | null;

const longestTimerMs = 2_147_483_647;

/**
 * Runs a statement. Columns stay text, whatever parsers the caller of `pg` has registered.
 *
 * The statement has no name, so it works through PgBouncer in transaction mode. The time-out of `pg` is not used: after a
 * blocked event loop it would give up before it reads the reply that arrived meanwhile.
 *
 * @throws Error `Query read timeout` after `timeoutMs`. The connection is then busy, and must be closed
 */
export async function runStatement(
  client: ClientBase,
  text: string,
  values: readonly Parameter[],
  timeoutMs: number,
): Promise<readonly Row[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new Error("Query read timeout"))), timeoutMs);
  });
  const statement = {
    text,
    values: [...values],
    rowMode: "array" as const,
    types: { getTypeParser: () => (value: unknown) => value },
    // Overrides that of the caller's pool. `pg` reads 0 as none given.
    query_timeout: longestTimerMs,
  };
  const reply = client.query<Column[]>(statement);
  try {
    const { rows } = await Promise.race([reply, tooLate]);
    return rows;
  } finally {
    clearTimeout(timer);
  }
}
