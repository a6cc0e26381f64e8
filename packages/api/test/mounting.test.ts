import type { RequestListener } from "node:http";
import express from "express";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { describe, expect, it } from "vitest";
import type { SitePage } from "../src/site-page.ts";
import { toAnswered } from "./support/call.ts";
import type { Answered } from "./support/call.ts";
import { listen } from "./support/listen.ts";
import { openApi } from "./support/open-api.ts";
import type { TestApi } from "./support/open-api.ts";

const webhook = { event: "order.created", target_url: "https://example.com/hook" };

async function create(api: TestApi, url: string): Promise<Answered> {
  const headers = { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" };
  return toAnswered(await fetch(url, { method: "POST", headers, body: JSON.stringify(webhook) }));
}

async function serversAt(url: string): Promise<string[]> {
  const { servers }: { readonly servers: readonly { readonly url: string }[] } = JSON.parse(
    await (await fetch(url)).text(),
  );
  return servers.map((server) => server.url);
}

describe("the OpenAPI document names the path where the API is served", () => {
  it.each(["", "/integrations"])("mounted in Express, with the base path %j", async (basePath) => {
    const api = await openApi({ basePath });
    await using server = await listen(express().use("/integrations", api.handler));
    expect(await serversAt(`${server.origin}/integrations/v1/openapi.json?a=1`)).toEqual(["/integrations"]);
  });

  it("after two mounts, and without a mount", async () => {
    const api = await openApi();
    await using server = await listen(
      express().use("/one", api.handler).use("/two", api.handler).use(api.handler),
    );
    for (const mount of ["/one", "/two", "/one"])
      expect(await serversAt(`${server.origin}${mount}/v1/openapi.json`)).toEqual([mount]);
    expect(await serversAt(`${server.origin}/v1/openapi.json`)).toEqual(["/"]);
  });

  it("below a mount and a base path", async () => {
    const api = await openApi({ basePath: "/integrations" });
    await using server = await listen(express().use("/below", api.handler));
    const below = await serversAt(`${server.origin}/below/integrations/v1/openapi.json`);
    expect(below).toEqual(["/below/integrations"]);
  });

  it("mounted as an app of h3, and as a function by its base path alone", async () => {
    const plain = await openApi();
    const asFunction = await openApi({ basePath: "/functions" });
    const parent = new H3()
      .mount("/app", plain.app)
      .all("/functions/**", (event) => asFunction.fetch(event.req));
    await using server = await listen(toNodeHandler(parent));
    expect(await serversAt(`${server.origin}/app/v1/openapi.json`)).toEqual(["/app"]);
    expect(await serversAt(`${server.origin}/functions/v1/openapi.json`)).toEqual(["/functions"]);
  });

  it("without ever naming another host", async () => {
    const api = await openApi();
    const app = express().use((request, response) => {
      request.originalUrl = `//elsewhere.example${request.url}`;
      api.handler(request, response);
    });
    await using server = await listen(app);
    expect(await serversAt(`${server.origin}/v1/openapi.json`)).toEqual(["/"]);
  });
});

describe("the mount path redirects to the reference, with and without a trailing slash,", () => {
  const pages: readonly SitePage[] = [
    {
      path: "/reference",
      contentType: "text/html; charset=utf-8",
      read: async () => ({ body: new Uint8Array(), etag: '"1"' }),
    },
  ];

  it.each<[name: string, basePath: string, mount: (api: TestApi) => RequestListener]>([
    ["in Express", "", (api) => express().use("/integrations", api.handler)],
    ["in Express", "/integrations", (api) => express().use("/integrations", api.handler)],
    ["in Node http", "/integrations", (api) => api.handler],
    ["in h3", "", (api) => toNodeHandler(new H3().mount("/integrations", api.app))],
    ["in h3", "/integrations", (api) => toNodeHandler(new H3().mount("/integrations", api.app))],
  ])("%s with the base path %j", async (_, basePath, mount) => {
    await using server = await listen(mount(await openApi({ basePath, pages })));
    for (const path of ["/integrations", "/integrations/", "/integrations?a=1"]) {
      const response = await fetch(`${server.origin}${path}`, { redirect: "manual" });
      expect([path, response.status, response.headers.get("location")]).toEqual([
        path,
        302,
        "/integrations/reference",
      ]);
    }
  });

  it("never to another host", async () => {
    const api = await openApi({ pages });
    const app = express().use((request, response) => {
      request.originalUrl = "//elsewhere.example/";
      api.handler(request, response);
    });
    await using server = await listen(app);
    const response = await fetch(server.origin, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/reference"]);
  });
});

describe("inside Express", () => {
  it.each(["", "/integrations"])("a mount at /integrations works with the base path %j", async (basePath) => {
    const api = await openApi({ basePath });
    await using server = await listen(express().use("/integrations", api.handler));
    expect((await create(api, `${server.origin}/integrations/v1/webhooks?a=1`)).status).toBe(201);
    expect((await create(api, `${server.origin}/v1/webhooks`)).status).toBe(404);
  });

  it("a base path works without a mount, and below one", async () => {
    const api = await openApi({ basePath: "/integrations" });
    await using server = await listen(express().use("/below", api.handler).use(api.handler));
    expect((await create(api, `${server.origin}/integrations/v1/webhooks`)).status).toBe(201);
    expect((await create(api, `${server.origin}/below/integrations/v1/webhooks`)).status).toBe(200);
    expect((await create(api, `${server.origin}/below/v1/webhooks`)).status).toBe(404);
  });

  it("a base path that starts like a route is distinguished from it", async () => {
    const api = await openApi({ basePath: "/v1" });
    await using server = await listen(express().use("/v1", api.handler));
    expect((await create(api, `${server.origin}/v1/v1/webhooks`)).status).toBe(201);
    expect((await create(api, `${server.origin}/v1/webhooks`)).status).toBe(404);
  });

  it("the error after a body parser says what to change, in the response and in the log", async () => {
    const api = await openApi();
    await using server = await listen(express().use(express.json()).use(api.handler));
    const answered = await create(api, `${server.origin}/v1/webhooks`);
    expect([answered.status, answered.body.error?.code]).toEqual([500, "internal_error"]);
    expect(answered.body.error?.message).toContain(
      "Mount the API before body parsers such as express.json()",
    );
    expect(String(api.log[0]?.fields["error"])).toContain("express.json()");
    const headers = { authorization: `Bearer ${api.apiKey}` };
    expect((await fetch(`${server.origin}/v1/me`, { headers })).status).toBe(200);
  });

  it("a platform's rawBody is used, and one that is too long gets 413", async () => {
    const { length } = JSON.stringify(webhook);
    const api = await openApi({ bodyLimitBytes: length });
    const narrow = await openApi({ bodyLimitBytes: length - 1 });
    const app = express().use(
      express.json({
        verify: (request, _, bytes) => {
          Object.assign(request, { rawBody: bytes });
        },
      }),
    );
    await using server = await listen(app.use("/narrow", narrow.handler).use(api.handler));
    expect((await create(api, `${server.origin}/v1/webhooks`)).status).toBe(201);
    expect((await create(narrow, `${server.origin}/narrow/v1/webhooks`)).status).toBe(413);
  });

  it("a response that other middleware breaks closes only its own connection", async () => {
    const api = await openApi();
    const app = express().use("/kept", (_, response, next) => {
      response.writeHead = () => {
        throw new Error("a hook of the headers failed");
      };
      next();
    });
    await using server = await listen(app.use(api.handler));
    await expect(fetch(`${server.origin}/kept`)).rejects.toThrow("fetch failed");
    expect(api.log).toMatchObject([
      {
        level: "error",
        fields: { code: "response_not_sent", error: "a hook of the headers failed" },
      },
    ]);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });
});

describe("inside h3", () => {
  it.each(["", "/integrations"])(
    "an app mounted at /integrations works with the base path %j",
    async (basePath) => {
      const api = await openApi({ basePath });
      const parent = new H3().get("/", () => "home").mount("/integrations", api.app);
      await using server = await listen(toNodeHandler(parent));
      expect((await create(api, `${server.origin}/integrations/v1/webhooks`)).status).toBe(201);
      expect(await (await fetch(server.origin)).text()).toBe("home");
    },
  );

  it("the function mounted at /integrations works", async () => {
    const api = await openApi();
    const parent = new H3().mount("/integrations", api.fetch);
    await using server = await listen(toNodeHandler(parent));
    expect((await create(api, `${server.origin}/integrations/v1/webhooks`)).status).toBe(201);
  });

  it("the error says that the parent app has read the body", async () => {
    const api = await openApi();
    const parent = new H3()
      .use(async (event) => {
        await event.req.text();
      })
      .mount("/", api.app);
    await using server = await listen(toNodeHandler(parent));
    const answered = await create(api, `${server.origin}/v1/webhooks`);
    expect(answered.body.error?.message).toContain("was read before it reached this API");
  });
});

it("a Request with a used body gets an error that says so", async () => {
  const api = await openApi();
  const request = new Request("http://localhost/v1/webhooks", {
    method: "POST",
    headers: { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" },
    body: "{}",
  });
  await request.text();
  expect((await toAnswered(await api.fetch(request))).body.error?.message).toContain("was read before");
});
