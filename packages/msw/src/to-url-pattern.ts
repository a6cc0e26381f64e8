/**
 * Returns the pattern for msw. In a string, msw interprets `:`, `(` and `*`, and differently in each major
 * version. A regular expression is unambiguous.
 */
export function toUrlPattern(url: string, end: "$" | "/v1/"): RegExp {
  return new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}${end}`);
}
