import type { H3Event } from "h3";
import { ApiError } from "../api-error.ts";

/**
 * The path of a request below the base path, still percent-encoded. It is empty for the base path itself without a slash, and
 * undefined outside of the base path.
 *
 * A framework may take the prefix of a mount off the URL (Express does, h3's `mount` of an app does not), so there are two paths:
 * the whole one and the one below the mount. The base path is searched in the whole one first. So `app.use("/integrations",
 * handler)` works with and without `basePath: "/integrations"`.
 */
export function readMountedPath(event: H3Event, basePath: string): string | undefined {
  if (mayBeMisread(event)) return undefined;
  const here = event.url.pathname;
  const local = belowMount(event, here);
  if (basePath === "") return local;
  return below(readOriginalPath(event) ?? here, basePath) ?? below(local, basePath);
}

/**
 * Where the routes live for the client: the base path, and before it the prefix that a mount has taken off. If a framework hands on
 * only the rest of the URL (h3's `mount` of a function, Hono's `mount`), only the base path is known.
 *
 * @param path what `readMountedPath` found
 */
export function readMountedBase(event: H3Event, basePath: string, path: string): string {
  const whole = readOriginalPath(event) ?? event.url.pathname;
  // Express hands on "/" also where the path of its mount was sent without a slash.
  const below = path === "/" && !whole.endsWith("/") ? "" : path;
  const base = whole.endsWith(below) ? whole.slice(0, whole.length - below.length) : "";
  // Never a path that a browser would read as another host.
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

/** Express and Connect store the URL here as it was before they took their prefix off. */
function readOriginalPath(event: H3Event): string | undefined {
  const request = event.runtime?.node?.req;
  if (request === undefined || !("originalUrl" in request)) return undefined;
  const { originalUrl } = request;
  return typeof originalUrl === "string" ? originalUrl.split("?", 1)[0] : undefined;
}

/**
 * URL parsers read `\` as `/` and drop everything from `#` on. Some proxies and routers read both as part of the path. A client could
 * therefore bypass a rule of a proxy for a path, such as a limit of sign-ins.
 */
function mayBeMisread(event: H3Event): boolean {
  const sent = event.runtime?.node?.req.url;
  return sent !== undefined && /^[^?]*[\\#]/.test(sent);
}

const slash = "/".charCodeAt(0);
