/**
 * Drops the fields that were "sent empty": `""`, white space only, `null`, `[]`. Such a field counts as left out,
 * whatever its type (specification, section 2.1), so this comes before any schema. Only the fields of the object
 * itself are looked at; anything but a plain object is given back as it is, for the schema to refuse.
 *
 * @example withoutEmpty({ email: "ada@example.com", name: " ", tags: [] }) // { email: "ada@example.com" }
 */
export function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // fromEntries defines properties instead of assigning them, so a "__proto__" field cannot reach a prototype.
  return Object.fromEntries(Object.entries(value).filter(([, field]) => !isEmpty(field)));
}

function isEmpty(field: unknown): boolean {
  if (typeof field === "string") return field.trim() === "";
  return field === null || field === undefined || (Array.isArray(field) && field.length === 0);
}
