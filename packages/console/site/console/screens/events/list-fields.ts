export interface SampleField {
  /** @example items[].price */
  readonly path: string;
  /** The type of the value, and the value of a sample. */
  readonly kind: string;
}

/** The fields of a sample with their types. Of an array, the first element counts. */
export function listFields(value: unknown, path = ""): readonly SampleField[] {
  if (Array.isArray(value))
    return value.length === 0 ? [{ path, kind: "list" }] : listFields(value[0], `${path}[]`);
  if (typeof value !== "object" || value === null) return [{ path, kind: describe(value) }];
  return Object.entries(value).flatMap(([name, each]) =>
    listFields(each, path === "" ? name : `${path}.${name}`),
  );
}

function describe(value: unknown): string {
  if (value === null) return "null";
  const type =
    typeof value === "string" ? "text" : typeof value === "boolean" ? "true or false" : typeof value;
  return `${type}, for example ${JSON.stringify(value)}`;
}
