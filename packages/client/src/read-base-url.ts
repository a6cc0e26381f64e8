import { ClientError } from "./client-error.ts";

/**
 * The base address without a slash at its end. Messages quote nothing of what was given: it may hold a password.
 *
 * @throws ClientError `invalid_option`
 */
export function readBaseUrl(baseUrl: string | URL, { allowHttp }: { readonly allowHttp: boolean }): string {
  const text = String(baseUrl);
  if (!URL.canParse(text)) throw wrong("must be a complete URL, such as https://example.com");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") throw wrong("must hold no user name and no password");
  // A question mark with nothing behind it leaves `search` empty, and stays in the address.
  if (/[?#]/.test(url.href)) throw wrong("must end with the path: no query and no fragment");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw wrong("must be an https URL");
  if (url.protocol === "http:" && !allowHttp && !isLoopback(url.hostname)) {
    throw wrong(
      "must be https, since everybody on the way could read the key; allowHttp: true permits http nevertheless",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** `URL` has already brought every spelling of an IPv4 address to its four numbers. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

function wrong(problem: string): ClientError {
  return new ClientError("invalid_option", `baseUrl: ${problem}.`);
}
