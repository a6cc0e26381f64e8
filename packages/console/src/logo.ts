/** A logo at a path of the same origin, or an image that this server serves. */
export type Logo =
  | { readonly type: "path"; readonly path: string }
  | { readonly type: "image"; readonly contentType: string; readonly body: Uint8Array };

const maximumBytes = 256 * 1_024;
const contentTypes: ReadonlySet<string> = new Set([
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/svg+xml",
  "image/webp",
]);
const base64Pattern = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}(?:==)?|[A-Za-z\d+/]{3}=?)?$/u;

/** Returns the problem as text if the logo is not valid. */
export function parseLogo(logo: unknown): Logo | string {
  const expected =
    "logo: must be a path on the same origin, such as /assets/logo.svg, or a data:image/… URL, because the console loads nothing from other origins";
  if (typeof logo !== "string") return expected;
  // The policy of the page allows images of its own origin, but no data: URLs. They are served as a file.
  if (/^data:/iu.test(logo)) return parseDataUrl(logo);
  // A browser reads `//host` and `/\host` as another host, and skips tabs and line breaks in a URL.
  return /^\/(?![/\\])[^\s\p{Cc}]*$/u.test(logo) && logo.isWellFormed()
    ? { type: "path", path: logo }
    : expected;
}

function parseDataUrl(url: string): Logo | string {
  const comma = url.indexOf(",");
  const [contentType = "", ...parameters] = url.slice("data:".length, comma).toLowerCase().split(";");
  if (comma === -1 || !contentTypes.has(contentType))
    return `logo: a data: URL must have one of the types ${[...contentTypes].join(", ")}`;
  const body = decode(url.slice(comma + 1), parameters.includes("base64"));
  if (body === undefined || body.length === 0) return "logo: the data: URL cannot be decoded";
  if (body.length > maximumBytes) return `logo: the image must have at most ${maximumBytes} bytes`;
  return { type: "image", contentType, body };
}

function decode(text: string, isBase64: boolean): Uint8Array | undefined {
  try {
    const decoded = decodeURIComponent(text);
    if (!isBase64) return new TextEncoder().encode(decoded);
    return base64Pattern.test(decoded) ? new Uint8Array(Buffer.from(decoded, "base64")) : undefined;
  } catch {
    return undefined; // A stray percent sign.
  }
}
