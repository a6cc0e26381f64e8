import type { ApiResponse } from "./api-response.ts";

/** Content that is the same for all callers. All responses share its bytes. */
export interface CacheableContent {
  readonly body: Uint8Array;
  /** The same body, compressed with gzip. */
  readonly gzip?: Uint8Array | undefined;
  /** A strong entity tag (RFC 9110, section 8.8.3), including the quotes. It changes whenever the body changes. */
  readonly etag: string;
}

interface CacheRequest {
  readonly header: (name: string) => string | null;
  readonly isDirect: boolean;
}

/** Responds with the content, compressed if the client accepts that. Responds with 304 if the client already has it. */
export function cacheableResponse(
  { body, gzip, etag }: CacheableContent,
  { header, isDirect }: CacheRequest,
  {
    headers: own,
    ...rest
  }: { readonly headers: Readonly<Record<string, string>>; readonly contentType?: string },
): ApiResponse {
  const zipped = isDirect && gzip !== undefined && acceptsGzip(header("accept-encoding") ?? "");
  // The compressed form has other bytes, so it needs another strong tag.
  const tag = zipped ? etag.replace(/"$/u, '-gzip"') : etag;
  const headers = {
    ...own,
    vary: "accept-encoding",
    etag: tag,
    ...(zipped ? { "content-encoding": "gzip" } : {}),
  };
  const known = (header("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//u, ""));
  if (known.some((each) => each === tag || each === "*")) {
    // The other headers are sent with the 304: the browser updates its stored copies of them (RFC 9111, section 3.2).
    const { "content-encoding": _, ...kept } = headers;
    return { status: 304, body: null, headers: kept };
  }
  return { ...rest, status: 200, body: zipped ? gzip : body, headers };
}

/** `gzip;q=0` refuses it (RFC 9110, section 12.5.3). */
function acceptsGzip(accepted: string): boolean {
  return accepted
    .split(",")
    .map((each) => each.toLowerCase().split(";"))
    .some(([coding = "", weight = "q=1"]) => coding.trim() === "gzip" && !/^\s*q=0(\.0*)?\s*$/u.test(weight));
}
