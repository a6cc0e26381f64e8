import { MockError } from "./mock-error.ts";

/** @throws MockError `invalid_url` */
export function parseUrl(text: string, option: "baseUrl" | "url"): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse(`${option} must be a whole URL, such as https://api.example.com.`);
  // No `fetch` takes such a URL, so nothing would ever come there.
  if (url.username !== "" || url.password !== "")
    throw refuse(`${option} must not contain a user name or password.`);
  return url;
}

/**
 * Where the API is, without a slash at its end.
 *
 * @throws MockError `invalid_url`
 */
export function parseBaseUrl(text: string): { readonly origin: string; readonly basePath: string } {
  const { origin, pathname, href } = parseUrl(text, "baseUrl");
  if (/[?#]/.test(href))
    throw refuse("baseUrl must end with its path: without a query and without a fragment.");
  const basePath = pathname.replace(/\/+$/, "");
  if (basePath.endsWith("/v1"))
    throw refuse("baseUrl is what comes before /v1: leave /v1 away, every operation's path has it.");
  return { origin, basePath };
}

function refuse(message: string): MockError {
  return new MockError("invalid_url", message);
}
