import { ClientError } from "./client-error.ts";

/**
 * Validates the base address and removes trailing slashes. Errors do not quote it, because it may contain a
 * password.
 *
 * @throws ClientError `invalid_option`
 */
export function readBaseUrl(baseUrl: string | URL, { allowHttp }: { readonly allowHttp: boolean }): string {
  const text = String(baseUrl);
  if (!URL.canParse(text)) throw invalidBaseUrl("must be a complete URL, for example https://example.com");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    throw invalidBaseUrl("must not contain a user name or a password");
  // With an empty query, `search` is empty but the address still contains the question mark.
  if (/[?#]/.test(url.href)) throw invalidBaseUrl("must not contain a query or a fragment");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw invalidBaseUrl("must be an https URL");
  if (url.protocol === "http:" && !allowHttp && !isLoopback(url.hostname)) {
    throw invalidBaseUrl(
      "must use https, because http exposes the key to the network. allowHttp: true allows http",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** `URL` has already normalised IPv4 addresses. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

function invalidBaseUrl(problem: string): ClientError {
  return new ClientError("invalid_option", `baseUrl: ${problem}.`);
}
