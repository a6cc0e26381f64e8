import { createFileReader } from "./site-file.ts";
import type { SiteFile } from "./site-file.ts";

/**
 * Each file of the site is a module that is loaded on demand. Bundlers follow an import by name, but may lose or mix up
 * files that lie beside the code.
 */
const packedFiles = {
  "console.css": () => import("#site/console.css"),
  "console.html": () => import("#site/console.html"),
  "console.js": () => import("#site/console.js"),
  "icon.svg": () => import("#site/icon.svg"),
  "reference.html": () => import("#site/reference.html"),
  "reference.js": () => import("#site/reference.js"),
  "scalar.js": () => import("#site/scalar.js"),
} as const;

type PackedFileName = keyof typeof packedFiles;

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

/** The page may load and call only this server, and no other page may frame it. */
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

/** The viewer adds styles to the page and draws its icons from `data:` URLs. */
const referencePolicy = consolePolicy
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:");

/**
 * The developer site: the web console at `/console`, the interactive reference at `/reference`, and their files. It
 * needs only the API that serves it, works below any mount, and contacts no other origin.
 *
 * @example
 * createApi({ …, pages: developerSite() });
 */
export function developerSite(): readonly SiteFile[] {
  return [
    documentFile("/console", "console.html", consolePolicy),
    assetFile("/console/console.js", "console.js", javascript),
    assetFile("/console/console.css", "console.css", css),
    assetFile("/console/icon.svg", "icon.svg", svg),
    documentFile("/reference", "reference.html", referencePolicy),
    assetFile("/reference/reference.js", "reference.js", javascript),
    assetFile("/reference/scalar.js", "scalar.js", javascript),
    assetFile("/reference/icon.svg", "icon.svg", svg),
  ];
}

function documentFile(path: SiteFile["path"], name: PackedFileName, policy: string): SiteFile {
  const headers = { ...shared, "content-security-policy": policy };
  return { path, contentType: html, headers, read: createFileReader(name, packedFiles[name]) };
}

function assetFile(path: SiteFile["path"], name: PackedFileName, contentType: string): SiteFile {
  return { path, contentType, headers: shared, read: createFileReader(name, packedFiles[name]) };
}
