import parts from "#site/parts";
import { brandPage, renderAccent, toHostReference } from "./branded-files.ts";
import { checkBranding } from "./branding.ts";
import type { Branding, CheckedBranding, SiteOptions } from "./branding.ts";
import { createFileReader, createRenderedReader } from "./site-file.ts";
import type { LoadPacked, SiteFile } from "./site-file.ts";

/**
 * Each file of the site is a module that is loaded on demand. Bundlers follow an import by name, but may lose or mix up
 * files that lie beside the code.
 */
const packedFiles = {
  "cli.tgz": () => import("#site/cli.tgz"),
  "console.css": () => import("#site/console.css"),
  "console.html": () => import("#site/console.html"),
  "console.js": () => import("#site/console.js"),
  "geist.woff2": () => import("#site/geist.woff2"),
  "icon.svg": () => import("#site/icon.svg"),
  "reference.html": () => import("#site/reference.html"),
  "reference.js": () => import("#site/reference.js"),
  "reference.css": () => import("#site/reference.css"),
  "signature.tgz": () => import("#site/signature.tgz"),
} as const;

type PackedFileName = keyof typeof packedFiles;

const html = "text/html; charset=utf-8";
const javascript = "text/javascript; charset=utf-8";
const css = "text/css; charset=utf-8";
const svg = "image/svg+xml";
const woff2 = "font/woff2";
const tarball = "application/gzip";

const shared = {
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The pages may load and call only this server, and no other page may frame them. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** An SVG may contain scripts, which would run if somebody opens its address. */
const logoPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * The developer site: the web console at `/console`, the interactive reference at `/reference`, and their files. It
 * needs only the API that serves it, works below any mount, and contacts no other origin.
 *
 * @param branding the name, the logo and the accent of the console, and a link to your guides. @default those of Hookwright
 * @param options.operator whether `/console#/operator` has the pages for the host's staff, and `/host-reference` the reference of the host API. @default false
 * @throws ConsoleError `invalid_branding`
 * @example
 * createApi({ …, pages: developerSite({ name: "Bakery builder", accent: "#7c3aed" }) });
 */
export function developerSite(branding: Branding = {}, options: SiteOptions = {}): readonly SiteFile[] {
  const checked = checkBranding(branding);
  // For `npx`: the command line of this version, without dependencies.
  const cli = assetFile("/console/cli.tgz", "cli.tgz", tarball);
  return [
    consoleFile(checked, options, cli),
    cli,
    // For `npm install`, and the verifiers for other languages.
    assetFile("/console/signature.tgz", "signature.tgz", tarball),
    assetFile("/console/console.js", "console.js", javascript),
    ...Object.entries(parts).map(([name, load]) => packedFile(`/console/${name}`, name, javascript, load)),
    assetFile("/console/console.css", "console.css", css),
    assetFile("/console/geist.woff2", "geist.woff2", woff2),
    assetFile("/console/icon.svg", "icon.svg", svg),
    ...brandFiles(checked),
    documentFile("/reference", "reference.html", async (html) => brandPage(html, checked)),
    ...(options.operator === true ? [hostReference(checked)] : []),
    assetFile("/console/reference.js", "reference.js", javascript),
    assetFile("/console/reference.css", "reference.css", css),
  ];
}

/** The same page, for the host API. */
function hostReference(branding: CheckedBranding): SiteFile {
  return documentFile("/host-reference", "reference.html", async (html) =>
    toHostReference(brandPage(html, branding)),
  );
}

function consoleFile(branding: CheckedBranding, options: SiteOptions, cli: SiteFile): SiteFile {
  return documentFile("/console", "console.html", async (html) => {
    const { etag } = await cli.read();
    return brandPage(html, branding, { ...options, cliTag: etag.slice(1, 9) });
  });
}

function brandFiles({ logo, accent }: CheckedBranding): readonly SiteFile[] {
  const files: SiteFile[] = [];
  if (accent !== undefined) {
    const read = createRenderedReader(async () => renderAccent(accent));
    files.push({ path: "/console/brand.css", contentType: css, headers: shared, read });
  }
  if (logo?.type === "image") {
    const headers = { ...shared, "content-security-policy": logoPolicy };
    const read = createRenderedReader(async () => logo.body);
    files.push({ path: "/console/logo", contentType: logo.contentType, headers, read });
  }
  return files;
}

function documentFile(
  path: SiteFile["path"],
  name: PackedFileName,
  brand: (html: string) => Promise<string>,
): SiteFile {
  const readPage = createFileReader(name, packedFiles[name]);
  const read = createRenderedReader(async () => brand(new TextDecoder().decode((await readPage()).body)));
  return { path, contentType: html, headers: { ...shared, "content-security-policy": policy }, read };
}

function assetFile(path: SiteFile["path"], name: PackedFileName, contentType: string): SiteFile {
  return packedFile(path, name, contentType, packedFiles[name]);
}

function packedFile(path: SiteFile["path"], name: string, contentType: string, load: LoadPacked): SiteFile {
  return { path, contentType, headers: shared, read: createFileReader(name, load) };
}
