/**
 * Checks the shape, not `instanceof`: frameworks have their own request classes.
 *
 * @throws TypeError for a value that is not a `Request`, such as a URL, which the global `fetch` takes too
 */
export function expectRequest(value: unknown): void {
  if (
    typeof value === "object" &&
    value !== null &&
    "url" in value &&
    "method" in value &&
    "headers" in value
  )
    return;
  const given = typeof value === "string" || value instanceof URL ? "a URL" : typeof value;
  throw new TypeError(`fetch takes a Request, and was given ${given}: pass new Request(url, options)`);
}
