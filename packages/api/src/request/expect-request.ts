/**
 * Told by its shape, not by `instanceof`: frameworks have requests of their own.
 *
 * @throws TypeError for anything that is no `Request`, such as the URL that the global `fetch` takes as well
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
