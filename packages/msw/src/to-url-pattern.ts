/**
 * What msw looks for. It reads a text as a pattern, in which `:`, `(` and `*` have a meaning, and which it spells otherwise from one
 * major version to the next; an expression is taken as it is.
 */
export function toUrlPattern(url: string, end: "$" | "/v1/"): RegExp {
  return new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}${end}`);
}
