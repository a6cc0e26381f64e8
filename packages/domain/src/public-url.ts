/**
 * Parses the URL at which users reach the routes: `https:` or `http:`, with an optional path. Returns it without a slash
 * at the end, or `undefined` if it is invalid, or has a query, a fragment or a password.
 *
 * @example parsePublicUrl("https://shop.example.com/hooks/") // "https://shop.example.com/hooks"
 */
export function parsePublicUrl(text: string): string | undefined {
  const url = /^https?:\/\/[^\s\\?#]+$/iu.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  return `${url.origin}${url.pathname}`.replace(/\/+$/u, "");
}
