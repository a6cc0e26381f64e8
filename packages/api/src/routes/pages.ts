import type { ApiResponse } from "../response/api-response.ts";
import { success } from "../response/api-response.ts";
import { cacheableResponse } from "../response/cacheable-content.ts";
import type { SitePage, SitePageContent } from "../site-page.ts";
import { definePublicRoute } from "../routing/define-route.ts";
import type { Route, RouteRequest } from "../routing/route.ts";

/**
 * Serves each page at its path. The path of a document with a trailing slash is redirected, because links in documents
 * are relative. The base path leads to the reference, if there is one.
 */
export function pageRoutes(pages: readonly SitePage[]): readonly Route[] {
  const documents = pages.filter(({ contentType }) => contentType.startsWith("text/html"));
  const names = documents.map(({ path }) => path.slice(1));
  const home = names.includes("reference") ? [homeRoute(names)] : [];
  return [...pages.map(servePage), ...documents.map(redirectToPage), ...home];
}

/**
 * Redirects to the reference, and tells programs where everything is. The redirect is not permanent, because a browser
 * would remember it after the developer site is switched off.
 */
function homeRoute(names: readonly string[]): Route {
  return definePublicRoute("GET", "/", {
    handle: async ({ basePath, header }) => {
      const at = (path: string): string => `${basePath()}/${path}`;
      const headers = { vary: "accept" };
      if (!/\bapplication\/json\b/iu.test(header("accept") ?? ""))
        return { status: 302, body: null, headers: { ...headers, location: at("reference") } };
      const places = [
        ...names.map((name) => [name, name]),
        ["openapi", "v1/openapi.json"],
        ["health", "healthz"],
      ];
      return {
        ...success(Object.fromEntries(places.map(([name = "", path = ""]) => [name, at(path)]))),
        headers,
      };
    },
  });
}

function servePage(page: SitePage): Route {
  return definePublicRoute("GET", page.path, {
    handle: async (request) => respondWithPage(page, await page.read(), request),
  });
}

function redirectToPage({ path }: SitePage): Route {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return definePublicRoute("GET", `${path}/`, {
    handle: async () => ({ status: 308, body: null, headers: { location: `../${name}` } }),
  });
}

function respondWithPage(
  { contentType, headers }: SitePage,
  content: SitePageContent,
  request: Pick<RouteRequest, "header" | "isDirect">,
): ApiResponse {
  // Browsers revalidate the page on every visit and get 304 until the next release.
  return cacheableResponse(content, request, {
    contentType,
    headers: { ...headers, "cache-control": "no-cache" },
  });
}
