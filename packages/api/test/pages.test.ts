import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { SitePage } from "../src/index.ts";
import { codeOf, call, toAnswered } from "./support/call.ts";
import { listen } from "./support/listen.ts";
import { openApi } from "./support/open-api.ts";

const body = new TextEncoder().encode("<!doctype html><title>Console</title>");
const pages: readonly SitePage[] = [
  {
    path: "/console",
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": "default-src 'none'" },
    read: async () => ({ body, gzip: gzipSync(body), etag: '"one"' }),
  },
  {
    path: "/console/app.js",
    contentType: "text/javascript; charset=utf-8",
    read: async () => ({ body, etag: '"two"' }),
  },
];
const anonymous = { token: undefined };

it("a page needs no credentials and has its type, its headers and an entity tag", async () => {
  const { status, headers, text } = await call(await openApi({ pages }), "GET /console", anonymous);
  expect(status).toBe(200);
  expect(text).toBe("<!doctype html><title>Console</title>");
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("etag")).toBe('"one"');
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("vary")).toBe("accept-encoding");
  expect(headers.get("x-request-id")).toMatch(/^req_/u);
});

it("a client that accepts gzip gets gzip with its own entity tag on a direct connection", async () => {
  const api = await openApi({ pages });
  await using server = await listen(api.handler);
  for (const accepted of ["gzip", "br, gzip;q=0.8", "GZIP"]) {
    const response = await fetch(`${server.origin}/console`, { headers: { "accept-encoding": accepted } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("content-length")).toBe(String(gzipSync(body).length));
    expect(response.headers.get("etag")).toBe('"one-gzip"');
    expect(await response.text()).toBe(new TextDecoder().decode(body));
  }
});

it.each(["identity", "br", "gzip;q=0", "gzip; q=0.0", "xgzip"])(
  "%j does not accept gzip",
  async (accepted) => {
    const api = await openApi({ pages });
    await using server = await listen(api.handler);
    const response = await fetch(`${server.origin}/console`, { headers: { "accept-encoding": accepted } });
    expect(response.headers.get("content-encoding")).toBeNull();
  },
);

it("a framework gets the page uncompressed, because it may drop Content-Encoding", async () => {
  const headers = { "accept-encoding": "gzip" };
  const answered = await call(await openApi({ pages }), "GET /console", { ...anonymous, headers });
  expect(answered.headers.get("content-encoding")).toBeNull();
  expect(answered.text).toBe("<!doctype html><title>Console</title>");
});

it("an unchanged page gets 304", async () => {
  const api = await openApi({ pages });
  for (const known of ['"one"', 'W/"one"', '"zero", "one"', "*"]) {
    const headers = { "if-none-match": known };
    const answered = await call(api, "GET /console", { ...anonymous, headers });
    expect([known, answered.status]).toEqual([known, 304]);
    expect(answered.text).toBe("");
    expect(answered.headers.get("etag")).toBe('"one"');
    expect(answered.headers.get("content-security-policy")).toBe("default-src 'none'");
  }
  const headers = { "if-none-match": '"zero"' };
  expect((await call(api, "GET /console", { ...anonymous, headers })).status).toBe(200);
});

it("the compressed and the plain page have different entity tags", async () => {
  const headers = { "if-none-match": '"one"', "accept-encoding": "gzip" };
  const api = await openApi({ pages });
  await using server = await listen(api.handler);
  expect((await fetch(`${server.origin}/console`, { headers })).status).toBe(200);
});

it("HEAD, OPTIONS and wrong methods work as on other routes", async () => {
  const api = await openApi({ pages });
  const head = await call(api, "HEAD /console", anonymous);
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(head.headers.get("content-length")).toBe(String(body.length));
  const options = await call(api, "OPTIONS /console", anonymous);
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  const post = await call(api, "POST /console", anonymous);
  expect([post.status, codeOf(post)]).toEqual([405, "not_found"]);
});

it("a document path with a trailing slash is redirected to the path without it, below any mount", async () => {
  const api = await openApi({ pages, basePath: "/integrations" });
  const { status, headers } = await call(api, "GET /integrations/console/", anonymous);
  expect(status).toBe(308);
  expect(new URL(headers.get("location") ?? "", "http://localhost/integrations/console/").pathname).toBe(
    "/integrations/console",
  );
  expect((await call(api, "GET /integrations/console", anonymous)).status).toBe(200);
  expect((await call(api, "GET /console", anonymous)).status).toBe(404);
  expect((await call(api, "GET /integrations/console/app.js/", anonymous)).status).toBe(404);
});

it("a path next to the pages gets the API's 404", async () => {
  const api = await openApi({ pages });
  for (const path of ["/console/none", "/console/..%2f..%2fpackage.json", "/console/api/none", "/consoles"]) {
    const answered = await call(api, `GET ${path}`, anonymous);
    expect([path, answered.status, codeOf(answered)]).toEqual([path, 404, "not_found"]);
  }
});

it("without pages, or on a process with only the operations routes, there are none", async () => {
  expect((await call(await openApi(), "GET /console", anonymous)).status).toBe(404);
  expect((await call(await openApi({ pages, routes: "operations" }), "GET /console", anonymous)).status).toBe(
    404,
  );
});

it("a page that fails to load gets 500, and the log has the cause", async () => {
  const [page] = pages;
  if (page === undefined) throw new Error("there is a page");
  const unreadable = { ...page, read: () => Promise.reject(new Error("the disk is on fire")) };
  const api = await openApi({ pages: [unreadable] });
  const answered = await call(api, "GET /console", anonymous);
  expect([answered.status, codeOf(answered)]).toEqual([500, "internal_error"]);
  expect(answered.text).not.toContain("fire");
  expect(JSON.stringify(api.log)).toContain("the disk is on fire");
});

it("a page arrives unchanged over a real connection", async () => {
  const api = await openApi({ pages });
  await using server = await listen(api.handler);
  const response = await fetch(`${server.origin}/console`);
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect((await toAnswered(response)).text).toBe("<!doctype html><title>Console</title>");
  const kept = await fetch(`${server.origin}/console`, { headers: { "if-none-match": '"one-gzip"' } });
  expect(kept.status).toBe(304);
});
