import { packedFiles } from "./packed-files.ts";
import type { PackedFileName } from "./packed-files.ts";
import { createFileReader } from "./site-file.ts";
import type { SiteFile } from "./site-file.ts";

const html = "text/html; charset=utf-8";
const javascript = "text/javascript; charset=utf-8";
const css = "text/css; charset=utf-8";
const svg = "image/svg+xml";

const shared = {
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Nothing but what this server sends is loaded or called, and nobody frames the page. */
const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The viewer writes its styles into the page and draws its icons from `data:`. */
const referencePolicy = consolePolicy
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:");

/**
 * The developer site: the web console at `/console`, the interactive reference at `/reference`, and what these load. They need nothing
 * but the API they are served with, whatever path that is mounted at, and ask no other origin for anything.
 *
 * @example
 * createApi({ …, pages: developerSite() });
 */
export function developerSite(): readonly SiteFile[] {
  return [
    document("/console", "console.html", consolePolicy),
    asset("/console/console.js", "console.js", javascript),
    asset("/console/console.css", "console.css", css),
    asset("/console/icon.svg", "icon.svg", svg),
    document("/reference", "reference.html", referencePolicy),
    asset("/reference/reference.js", "reference.js", javascript),
    asset("/reference/scalar.js", "scalar.js", javascript),
    asset("/reference/icon.svg", "icon.svg", svg),
  ];
}

function document(path: SiteFile["path"], name: PackedFileName, policy: string): SiteFile {
  const headers = { ...shared, "content-security-policy": policy };
  return { path, contentType: html, headers, read: createFileReader(name, packedFiles[name]) };
}

function asset(path: SiteFile["path"], name: PackedFileName, contentType: string): SiteFile {
  return { path, contentType, headers: shared, read: createFileReader(name, packedFiles[name]) };
}
