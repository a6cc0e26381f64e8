import { z } from "zod";
import type { Answer } from "../answer/answer.ts";
import type { SitePage, SitePageContent } from "../site-page.ts";
import { noQuery } from "../request/query-parameters.ts";
import { definePublicRoute } from "../routing/define-route.ts";
import type { Route, RouteRequest } from "../routing/route.ts";

/** Each page at its path. Whoever puts a slash behind that of a document is led to it: what the document refers to is relative. */
export function pageRoutes(pages: readonly SitePage[]): readonly Route[] {
  const documents = pages.filter(({ contentType }) => contentType.startsWith("text/html"));
  return [...pages.map(servePage), ...documents.map(leadToPage)];
}

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
