import type { H3Event } from "h3";
import { ApiError } from "../api-error.ts";

/**
 * Returns the path of a request below the base path, still percent-encoded. It is empty for the base path itself
 * without a slash, and undefined outside of the base path.
 *
 * Some frameworks remove the prefix of a mount from the URL (Express), others do not (h3's `mount` of an app). The base
 * path is searched in the full path first, then in the rest. `app.use("/integrations", handler)` therefore works with
 * and without `basePath: "/integrations"`.
 */
export function readMountedPath(event: H3Event, basePath: string): string | undefined {
  if (isAmbiguous(event)) return undefined;
  const here = event.url.pathname;
  const local = belowMount(event, here);
  if (basePath === "") return local;
  return below(readOriginalPath(event) ?? here, basePath) ?? below(local, basePath);
}

/**
 * Returns the path below which the client sees the routes: the removed prefix of the mount and the base path. If a
 * framework passes on only the rest of the URL (h3's `mount` of a function, Hono's `mount`), only the base path is
 * known.
 *
 * @param path the result of `readMountedPath`
 */
export function readMountedBase(event: H3Event, basePath: string, path: string): string {
  const whole = readOriginalPath(event) ?? event.url.pathname;
  // Express passes on "/" even if the client sent the mount path without a slash.
  const below = path === "/" && !whole.endsWith("/") ? "" : path;
  const base = whole.endsWith(below) ? whole.slice(0, whole.length - below.length) : "";
  // A browser would read a path that begins with two slashes as another host.
  return /^\/(?![/\\])/.test(base) ? base : basePath;
}

/** @throws ApiError `invalid_base_path` */
export function parseBasePath(basePath: string): string {
  const trimmed = basePath.replace(/\/+$/, "");
  if (trimmed === "" || /^\/[^?#\s]*$/.test(trimmed)) return trimmed;
  throw new ApiError("invalid_base_path", 'basePath must begin with a slash, such as "/integrations".');
}

/** A parent app of h3 puts the prefix of its mount before our catch-all route. */
function belowMount(event: H3Event, path: string): string {
  const route = event.context.matchedRoute?.route;
  if (route === undefined || route === "/**" || !route.endsWith("/**")) return path;
  return below(path, route.slice(0, -3)) ?? path;
}

function below(path: string, base: string): string | undefined {
  if (path === base) return "";
  return path.startsWith(base) && path.charCodeAt(base.length) === slash
    ? path.slice(base.length)
    : undefined;
}

/** Express and Connect store the original URL here before they remove the prefix. */
function readOriginalPath(event: H3Event): string | undefined {
  const request = event.runtime?.node?.req;
  if (request === undefined || !("originalUrl" in request)) return undefined;
  const { originalUrl } = request;
  return typeof originalUrl === "string" ? originalUrl.split("?", 1)[0] : undefined;
}

/**
 * Returns whether the fixed parts of a path are spelled as in the pattern of its route: `/%68ost` is not `/host`. h3 decodes such
 * characters, so a client could bypass a proxy rule for a path. Parameters may be encoded in any way.
 *
 * @param pattern of the route, such as `/v1/orders/{id}`
 */
export function isSpelledAs(event: H3Event, pattern: string): boolean {
  const sent = readSentPath(event);
  if (!sent.includes("%")) return true;
  const expected = pattern.split("/").slice(1);
  const parts = sent.split("/");
  const from = parts.length - expected.length;
  return !parts.some(
    (part, at) => encodedUnreserved.test(part) && expected[at - from]?.startsWith("{") !== true,
  );
}

/**
 * URL parsers resolve `..`, also as `%2e%2e`, read `\` as `/`, and ignore everything from `#` on. Some proxies and routers take
 * them for a part of the path. A client could therefore bypass a proxy rule for a path, such as one that closes the host API.
 */
function isAmbiguous(event: H3Event): boolean {
  return ambiguous.test(readSentPath(event));
}

/** The path as the client sent it. A `Request` of the platform has resolved its dots, so that nothing of them is left here. */
function readSentPath(event: H3Event): string {
  const sent = event.runtime?.node?.req.url ?? event.req.url.split("#", 1)[0] ?? "";
  const end = sent.indexOf("?");
  const path = end === -1 ? sent : sent.slice(0, end);
  return path.startsWith("/") ? path : path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/\\#]*/iu, "");
}

const ambiguous = /[\\#]|\/\/|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/iu;
/** Letters, digits and `-._~` need no encoding (RFC 3986, section 2.3). */
const encodedUnreserved = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/iu;
const slash = "/".charCodeAt(0);
