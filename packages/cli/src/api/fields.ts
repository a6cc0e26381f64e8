/** A row of a response. Fields that this version does not know are kept, so that `--json` prints them. */
export type Row = Readonly<Record<string, unknown>>;

/** The value of a JSON text. Undefined if it is not JSON: the callers say what is missing. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The row at `name`. Undefined if it is missing or null. */
export function rowOf(row: Row, name: string): Row | undefined {
  const value = row[name];
  return isRow(value) ? value : undefined;
}

/** The rows of the list at `name`. */
export function rowsOf(row: Row, name: string): readonly Row[] {
  const value = row[name];
  return Array.isArray(value) ? value.filter(isRow) : [];
}

/** The text at `name`. Undefined if it is missing or null. */
export function textOf(row: Row, name: string): string | undefined {
  const value = row[name];
  return value === undefined || value === null ? undefined : String(value);
}

/** The number at `name`. Undefined if it is missing or null. */
export function numberOf(row: Row, name: string): number | undefined {
  const value = row[name];
  return typeof value === "number" ? value : undefined;
}
