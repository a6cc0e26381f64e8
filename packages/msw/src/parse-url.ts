import { MockError } from "./mock-error.ts";

/** @throws MockError `invalid_url` */
export function parseUrl(text: string, option: "baseUrl" | "url"): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse(`${option} must be a complete URL, for example https://api.example.com.`);
  // `fetch` rejects such a URL, so no request would ever arrive.
  if (url.username !== "" || url.password !== "")
    throw refuse(`${option} must not contain a user name or password.`);
  return url;
}

/**
 * Parses the address of the API and removes trailing slashes.
 *
 * @throws MockError `invalid_url`
 */
export function parseBaseUrl(text: string): { readonly origin: string; readonly basePath: string } {
  const { origin, pathname, href } = parseUrl(text, "baseUrl");
  if (/[?#]/.test(href)) throw refuse("baseUrl must not contain a query or a fragment.");
  const basePath = pathname.replace(/\/+$/, "");
  if (basePath.endsWith("/v1"))
    throw refuse("baseUrl must not end with /v1, because the path of every operation contains it.");
  return { origin, basePath };
}

function refuse(message: string): MockError {
  return new MockError("invalid_url", message);
}
