import { describe, expect, it } from "vitest";
import type { ApiOptions } from "../src/options.ts";
import type { SitePage } from "../src/site-page.ts";
import { call, codeOf } from "./support/call.ts";
import { hostToken, openApi } from "./support/open-api.ts";

describe("an unknown path", () => {
  it.each([
    "/",
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v2/me",
    "/V1/me",
    "/v1/Me",
    "/v1/me/",
    "/v1//me",
    "//v1/me",
    "/v1/orders/",
    "/v1/orders/ord_1/",
    "/v1/orders/ord_1/items",
    "/v1/orders/%zz",
    "/v1/orders/%ff",
    "/v1/orders/%",
    "/host/v1/nobody",
    "/%E0%A4%A",
    "/v1/me;a=1",
  ])("%s gets 404 with the envelope", async (path) => {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const answered = await call(await openApi(), `${method} ${path}`);
      expect([answered.status, codeOf(answered)]).toEqual([404, "not_found"]);
      expect(answered.body.success).toBe(false);
      expect(answered.headers.get("x-request-id")).toMatch(/^req_/);
    }
  });
});

const reference: SitePage = {
  path: "/reference",
  contentType: "text/html; charset=utf-8",
  read: async () => ({ body: new Uint8Array(), etag: '"1"' }),
};

describe("the error of an unknown path", () => {
  const messageOf = async (options: Partial<ApiOptions>, path: string): Promise<string | undefined> =>
    (await call(await openApi(options), `GET ${path}`)).body.error?.message;

  it("names the reference, if it is served", async () => {
    const pages = [reference];
    const message = "No such endpoint. The API reference at /reference shows those under /v1.";
    expect(await messageOf({ pages }, "/v1/nothing")).toBe(message);
    const below = "No such endpoint. The API reference at /integrations/reference shows those under /v1.";
    expect(await messageOf({ pages, basePath: "/integrations" }, "/integrations/v1/nothing")).toBe(below);
    expect(await messageOf({ pages, basePath: "/integrations" }, "/v1/me")).toBe(below);
  });

  it("names the OpenAPI document, if there is no reference", async () => {
    expect(await messageOf({}, "/v1/nothing")).toBe(
      "No such endpoint. /v1/openapi.json lists those under /v1.",
    );
  });

  it("names nothing on a process that only delivers", async () => {
    expect(await messageOf({ routes: "operations" }, "/v1/me")).toBe(
      "No such endpoint. This process serves only the operations routes.",
    );
  });
});

describe("a wrong method", () => {
  it.each([
    ["POST /v1/me", "GET, HEAD, OPTIONS"],
    ["PATCH /v1/webhooks", "GET, HEAD, POST, OPTIONS"],
    ["PUT /v1/webhooks/wh_1", "GET, HEAD, DELETE, OPTIONS"],
    ["PROPFIND /v1/orders", "GET, HEAD, OPTIONS"],
    ["HEAD /host/v1/events", "POST, OPTIONS"],
    ["GET /host/v1/suppressions/a@example.com", "PUT, DELETE, OPTIONS"],
    ["DELETE /healthz", "GET, HEAD, OPTIONS"],
  ])("%s gets 405 with Allow: %s", async (target, allow) => {
    const answered = await call(await openApi(), target, { token: undefined });
    expect(answered.status).toBe(405);
    expect(answered.headers.get("allow")).toBe(allow);
    expect(codeOf(answered)).toBe(target.startsWith("HEAD") ? undefined : "not_found");
  });

  it("gets a message that lists the allowed methods", async () => {
    const { body } = await call(await openApi(), "POST /v1/me", { token: undefined });
    expect(body.error?.message).toBe("No such endpoint: this path takes only GET, HEAD and OPTIONS.");
    const host = await call(await openApi(), "POST /host/v1/accounts/acc_1", { token: undefined });
    expect(host.body.error?.message).toBe(
      "No such endpoint: this path takes only PUT, GET, HEAD, DELETE and OPTIONS.",
    );
  });
});

describe("OPTIONS", () => {
  it.each(["/v1/me", "/v1/webhooks/any", "/host/v1/events", "/readyz"])("%s gets 204", async (path) => {
    const answered = await call(await openApi(), `OPTIONS ${path}`, { token: undefined });
    expect([answered.status, answered.text]).toEqual([204, ""]);
    expect(answered.headers.get("allow")).toContain("OPTIONS");
    expect(answered.headers.get("x-request-id")).toMatch(/^req_/);
    expect(answered.headers.has("content-type")).toBe(false);
  });
});

describe("HEAD", () => {
  it.each(["/v1/me", "/v1/orders", "/v1/orders/none", "/healthz"])(
    "%s gets the headers of GET without the body",
    async (path) => {
      const api = await openApi();
      const get = await call(api, `GET ${path}`);
      const head = await call(api, `HEAD ${path}`);
      expect([head.status, head.text]).toEqual([get.status, ""]);
      expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    },
  );
});

describe("a path parameter", () => {
  it("is decoded once", async () => {
    const api = await openApi();
    const seen: string[] = [];
    const service = {
      ...api.options.service,
      suppressions: {
        ...api.options.service.suppressions,
        remove: async (email: string) => {
          seen.push(email);
          return { email, deleted: true as const };
        },
      },
    };
    const spying = await openApi({ service });
    for (const email of ["a%40b.example", "a@b.example", "a%252Fb", "a%2Fb", "a+b", "%41", "%C3%A9"]) {
      await call(spying, `DELETE /host/v1/suppressions/${email}`, { token: hostToken });
    }
    expect(seen).toEqual(["a@b.example", "a@b.example", "a%2Fb", "a/b", "a+b", "A", "é"]);
  });

  it("that names nothing gets resource_not_found", async () => {
    const api = await openApi();
    for (const id of ["ord_1", "a%2Fb", "%00", "%20", "x".repeat(5_000), "__proto__", "constructor"]) {
      const answered = await call(api, `GET /v1/orders/${id}`);
      expect([answered.status, codeOf(answered)]).toEqual([404, "resource_not_found"]);
    }
  });
});

describe("a base path", () => {
  it.each(["/integrations", "/integrations/", "/a/b"])(
    "%s is the prefix of every route, and other paths get 404",
    async (basePath) => {
      const api = await openApi({ basePath });
      const base = basePath.replace(/\/$/, "");
      expect((await call(api, `GET ${base}/v1/me`)).status).toBe(200);
      expect((await call(api, `GET ${base}/healthz`)).status).toBe(200);
      for (const path of ["/v1/me", "/healthz", base, `${base}/`, `${base}x/v1/me`, `${base}${base}/v1/me`]) {
        expect(codeOf(await call(api, `GET ${path}`))).toBe("not_found");
      }
    },
  );

  it.each(["/integrations", "/integrations/", "/integrations?from=mail"])(
    "redirects to the reference at %s, if it is served",
    async (path) => {
      const api = await openApi({ basePath: "/integrations", pages: [reference] });
      const answered = await call(api, `GET ${path}`, { token: undefined });
      expect([answered.status, answered.headers.get("location")]).toEqual([302, "/integrations/reference"]);
      expect((await call(api, `HEAD ${path}`)).status).toBe(302);
      const posted = await call(api, `POST ${path}`);
      expect([posted.status, codeOf(posted), posted.headers.get("allow")]).toEqual([
        405,
        "not_found",
        "GET, HEAD, OPTIONS",
      ]);
    },
  );

  it("that is empty does so at the root, which is unknown without the reference", async () => {
    const answered = await call(await openApi({ pages: [reference] }), "GET /", { token: undefined });
    expect([answered.status, answered.headers.get("location")]).toEqual([302, "/reference"]);
    expect(codeOf(await call(await openApi(), "GET /"))).toBe("not_found");
  });

  it("tells a program that accepts JSON where everything is", async () => {
    const api = await openApi({ basePath: "/integrations", pages: [reference] });
    const headers = { accept: "application/json" };
    const answered = await call(api, "GET /integrations", { token: undefined, headers });
    expect([answered.status, answered.headers.get("vary"), answered.body]).toEqual([
      200,
      "accept",
      {
        success: true,
        data: {
          reference: "/integrations/reference",
          openapi: "/integrations/v1/openapi.json",
          health: "/integrations/healthz",
        },
      },
    ]);
  });

  it("without a leading slash is refused", async () => {
    await expect(openApi({ basePath: "integrations" })).rejects.toMatchObject({ code: "invalid_base_path" });
  });
});

it('with `routes: "operations"` only the operations routes exist', async () => {
  const api = await openApi({ routes: "operations" });
  expect((await call(api, "GET /healthz")).status).toBe(200);
  expect(codeOf(await call(api, "GET /v1/me"))).toBe("not_found");
  expect(codeOf(await call(api, "POST /host/v1/events", { token: hostToken }))).toBe("not_found");
});

describe("a value that is not a Request", () => {
  it.each<[given: string, value: unknown]>([
    ["a URL", "http://localhost/v1/me"],
    ["a URL", new URL("http://localhost/v1/me")],
    ["undefined", undefined],
    ["object", { path: "/v1/me" }],
  ])("rejects with an error that names the problem, given %s", async (given, value) => {
    const api = await openApi();
    // @ts-expect-error a program without types may pass it
    await expect(api.fetch(value)).rejects.toThrow(
      new TypeError(`fetch takes a Request, but got ${given}. Pass new Request(url, options).`),
    );
  });
});
