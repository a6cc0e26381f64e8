import { z } from "zod";
import type { Answer } from "../answer/answer.ts";
import type { SitePage, SitePageContent } from "../site-page.ts";
import { noQuery } from "../request/query-parameters.ts";
import { definePublicRoute } from "../routing/define-route.ts";
import type { Route, RouteRequest } from "../routing/route.ts";

const referencePath = "/reference";

/**
 * Each page at its path. The path of a document with a slash behind it is redirected, because links in documents are relative. The
 * base path is redirected to the reference, if there is one.
 */
export function pageRoutes(pages: readonly SitePage[]): readonly Route[] {
  const documents = pages.filter(({ contentType }) => contentType.startsWith("text/html"));
  const home = documents.some(({ path }) => path === referencePath) ? [leadToReference] : [];
  return [...pages.map(servePage), ...documents.map(leadToPage), ...home];
}

/** Not permanent: a browser would remember it after the developer site is switched off. */
const leadToReference = definePublicRoute({
  method: "GET",
  path: "/",
  operationId: "page /",
  summary: "/",
  query: noQuery,
  answers: { 302: z.null() },
  bare: true,
  handle: async ({ basePath }) => ({
    status: 302,
    body: null,
    headers: { location: `${basePath()}${referencePath}` },
  }),
});

function servePage(page: SitePage): Route {
  return definePublicRoute({
    method: "GET",
    path: page.path,
    operationId: `page ${page.path}`,
    summary: page.path,
    query: noQuery,
    answers: { 200: z.string() },
    bare: true,
    handle: async (request) => answerPage(page, await page.read(), request),
  });
}

function leadToPage({ path }: SitePage): Route {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return definePublicRoute({
    method: "GET",
    path: `${path}/`,
    operationId: `page ${path}/`,
    summary: path,
    query: noQuery,
    answers: { 308: z.null() },
    bare: true,
    handle: async () => ({ status: 308, body: null, headers: { location: `../${name}` } }),
  });
}

function answerPage(
  { contentType, headers: own }: SitePage,
  { body, gzip, etag }: SitePageContent,
  { header, isDirect }: Pick<RouteRequest, "header" | "isDirect">,
): Answer {
  const zipped = isDirect && gzip !== undefined && acceptsGzip(header("accept-encoding") ?? "");
  // Of the compressed form, other bytes are sent: a strong tag has to tell the two apart.
  const tag = zipped ? etag.replace(/"$/u, '-gzip"') : etag;
  const headers = {
    ...own,
    // Asked again at every visit, and answered with 304 until the next release.
    "cache-control": "no-cache",
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
  return { status: 200, body: zipped ? gzip : body, contentType, headers };
}

/** `gzip;q=0` refuses it (RFC 9110, section 12.5.3). */
function acceptsGzip(accepted: string): boolean {
  return accepted
    .split(",")
    .map((each) => each.toLowerCase().split(";"))
    .some(([coding = "", weight = "q=1"]) => coding.trim() === "gzip" && !/^\s*q=0(\.0*)?\s*$/u.test(weight));
}
