import type { H3Event } from "h3";
import { ApiError } from "../api-error.ts";

/**
 * The path of a request below the base path, still percent-encoded; undefined where it lies outside.
 *
 * What mounts this app may take its own prefix off the URL (Express, h3's `mount` of an app leaves it on), so there are two
 * paths: the whole one, and the one below the mount. A base path is looked for in the whole one first, which makes
 * `app.use("/integrations", handler)` work with and without `basePath: "/integrations"`.
 */
export function readMountedPath(event: H3Event, basePath: string): string | undefined {
  if (mayBeMisread(event)) return undefined;
  const here = event.url.pathname;
  const local = belowMount(event, here);
  if (basePath === "") return local;
  return below(readOriginalPath(event) ?? here, basePath) ?? below(local, basePath);
}

/**
 * Where the routes live for whoever sent the request: the base path, and before it what a mount has taken off, as far as that shows.
 * Of a framework that hands on no more than the rest of the URL (h3's `mount` of a function, Hono's), the base path alone is known.
 *
 * @param path what `readMountedPath` found
 */
export function readMountedBase(event: H3Event, basePath: string, path: string): string {
  const whole = readOriginalPath(event) ?? event.url.pathname;
  const base = whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : "";
  // Never what a browser would take for another host.
  return /^\/(?![/\\])/.test(base) ? base : basePath;
}

/** @throws ApiError `invalid_base_path` */
export function parseBasePath(basePath: string): string {
  const trimmed = basePath.replace(/\/+$/, "");
  if (trimmed === "" || /^\/[^?#\s]*$/.test(trimmed)) return trimmed;
  throw new ApiError("invalid_base_path", 'basePath must begin with a slash, such as "/integrations".');
}

/** An h3 app that this one is mounted in has put its prefix before our catch-all route. */
function belowMount(event: H3Event, path: string): string {
  const route = event.context.matchedRoute?.route;
  if (route === undefined || route === "/**" || !route.endsWith("/**")) return path;
  return below(path, route.slice(0, -3)) ?? path;
}

function below(path: string, base: string): string | undefined {
  return path.startsWith(base) && path.charCodeAt(base.length) === slash
    ? path.slice(base.length)
    : undefined;
}

/** Express and Connect leave the URL here as it was before they took their prefix off. */
function readOriginalPath(event: H3Event): string | undefined {
  const request = event.runtime?.node?.req;
  if (request === undefined || !("originalUrl" in request)) return undefined;
  const { originalUrl } = request;
  return typeof originalUrl === "string" ? originalUrl.split("?", 1)[0] : undefined;
}

/**
 * A URL's parser takes `\` for `/` and drops what begins with `#`, as browsers want it; proxies and routers take both for a part of the
 * path, or some do. So whoever writes them gets past whatever stands in front of a path, such as a limit of sign-ins.
 */
function mayBeMisread(event: H3Event): boolean {
  const sent = event.runtime?.node?.req.url;
  return sent !== undefined && /^[^?]*[\\#]/.test(sent);
}

const slash = "/".charCodeAt(0);
