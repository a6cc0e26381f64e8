/** A column as text, or `null`. */
export type Column = string | null | undefined;
export type Row = readonly Column[];
export type Parameter = string | number | boolean | Uint8Array | readonly (string | number)[] | null;

/**
 * Returns the argument of `query`. Columns stay text, whatever parsers the caller of `pg` has registered.
 *
 * The statement has no name, so it works through PgBouncer in transaction mode.
 */
export function toStatement(text: string, values: readonly Parameter[], timeoutMs: number) {
  return {
    text,
    values: [...values],
    rowMode: "array" as const,
    types: { getTypeParser: () => (value: unknown) => value },
    query_timeout: timeoutMs,
  };
}
