import type { Answer } from "./answer.ts";

/** Content that is the same for everybody. Its bytes are shared by all responses. */
export interface CacheableContent {
  readonly body: Uint8Array;
  /** The same body, compressed. */
  readonly gzip?: Uint8Array | undefined;
  /** A strong entity tag (RFC 9110, section 8.8.3), quotes included. It differs whenever the body does. */
  readonly etag: string;
}

interface CacheRequest {
  readonly header: (name: string) => string | null;
  readonly isDirect: boolean;
}

/** Answers with the content: compressed if the client accepts it, or 304 if the client has it already. */
export function cacheableAnswer(
  { body, gzip, etag }: CacheableContent,
  { header, isDirect }: CacheRequest,
  {
    headers: own,
    ...rest
  }: { readonly headers: Readonly<Record<string, string>>; readonly contentType?: string },
): Answer {
  const zipped = isDirect && gzip !== undefined && acceptsGzip(header("accept-encoding") ?? "");
  // Of the compressed form, other bytes are sent: a strong tag has to tell the two apart.
  const tag = zipped ? etag.replace(/"$/u, '-gzip"') : etag;
  const headers = {
    ...own,
    vary: "accept-encoding",
    etag: tag,
    ...(zipped ? { "content-encoding": "gzip" } : {}),
  };
  const known = (header("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//u, ""));
  if (known.some((each) => each === tag || each === "*")) {
    // With its policy and the like: the browser updates what it has kept by them (RFC 9111, section 3.2).
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
