import { createConfig, lintFromString } from "@redocly/openapi-core";
import { apiErrors, eventNames, maximumTries, specificationEvents } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { createOpenApiDocument } from "../src/openapi/document.ts";
import { createDocumentText } from "../src/openapi/document-text.ts";
import { publicApiRoutes } from "../src/routes/select-routes.ts";
import { listen } from "./support/listen.ts";
import { openApi } from "./support/open-api.ts";

const events = specificationEvents;
const document = createOpenApiDocument({
  routes: publicApiRoutes,
  events,
  basePath: "",
  requestsPerMinute: 200,
});
const text = JSON.stringify(document);

/** Specification §4, the endpoint table. */
const operations = [
  "GET /v1/me",
  "GET /v1/projects",
  "GET /v1/event-types",
  "GET /v1/event-types/{type}/samples",
  "GET /v1/webhooks",
  "POST /v1/webhooks",
  "GET /v1/webhooks/{id}",
  "DELETE /v1/webhooks/{id}",
  "GET /v1/contacts",
  "POST /v1/contacts",
  "GET /v1/contacts/{id}",
  "POST /v1/subscribers",
  "GET /v1/email-lists",
  "POST /v1/blog-posts",
  "GET /v1/orders",
  "GET /v1/orders/{id}",
  "GET /v1/openapi.json",
];

describe("the OpenAPI document", () => {
  it("describes exactly the 17 operations of the specification", () => {
    const { paths } = JSON.parse(text);
    const described = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(operations.toSorted());
  });

  it("lists the 18 codes, the two added ones and the seven events", () => {
    const { components, webhooks } = JSON.parse(text);
    expect(components.schemas.ErrorCode.enum).toEqual(Object.keys(apiErrors));
    expect(components.schemas.ErrorCode.enum).toHaveLength(20);
    expect(Object.keys(webhooks)).toEqual([...eventNames]);
  });

  it("has no pattern on id parameters, so that an unknown id gets 404", () => {
    const { paths } = JSON.parse(text);
    for (const item of Object.values<Record<string, { parameters: { in: string; schema: object }[] }>>(
      paths,
    )) {
      for (const { parameters } of Object.values(item)) {
        for (const parameter of parameters.filter((each) => each.in === "path")) {
          expect(parameter.schema).toEqual({ type: "string" });
        }
      }
    }
  });

  it("states the default page size", () => {
    const { paths } = JSON.parse(text);
    const limitOf = (path: string): object =>
      paths[path].get.parameters.find((each: { name: string }) => each.name === "limit").schema;
    expect(limitOf("/v1/orders")).toEqual({ type: "integer", minimum: 1, maximum: 100, default: 25 });
    expect(limitOf("/v1/event-types/{type}/samples")).toMatchObject({ maximum: 10, default: 10 });
  });

  it("states the number of attempts of a delivery", () => {
    const { webhooks } = JSON.parse(text);
    expect(webhooks["order.paid"].post.description).toContain(`${maximumTries} attempts`);
  });

  it("states the configured rate limit, or none", () => {
    const textWith = (requestsPerMinute: number | undefined): string =>
      JSON.stringify(
        createOpenApiDocument({ routes: publicApiRoutes, events, basePath: "", requestsPerMinute }),
      );
    const fifty = JSON.parse(textWith(50));
    expect(fifty.info.description).toContain("An account may send 50 requests per minute.");
    expect(fifty.components.headers.RateLimit.description).toContain('"default";r=49;t=60');
    expect(fifty.components.headers.RateLimitPolicy.description).toContain('"default";q=50;w=60');
    expect(textWith(1)).toContain("An account may send 1 request per minute.");
    expect(textWith(undefined)).not.toContain('per minute."');
    for (const each of [textWith(50), textWith(undefined)])
      expect(each).not.toMatch(/\b(200 requests|q=200|r=199)/u);
  });

  it("passes Redocly's recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: text, config });
    expect(
      problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    ).toEqual([]);
  });
});

describe("GET /v1/openapi.json", () => {
  it("is compressed once, and a client that has it gets 304", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    const url = `${server.origin}/v1/openapi.json`;
    const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
    const zipped = await fetch(url, { headers: { "accept-encoding": "gzip" } });
    const content = await plain.text();
    expect(await zipped.text()).toBe(content);
    expect(JSON.parse(content)).toMatchObject({ openapi: "3.1.1" });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(Number(zipped.headers.get("content-length"))).toBeLessThan(content.length / 4);
    const tags = [plain, zipped].map(({ headers }) => headers.get("etag") ?? "");
    expect(new Set(tags).size).toBe(2);
    for (const { headers } of [plain, zipped]) {
      expect(headers.get("vary")).toBe("accept-encoding");
      expect(headers.get("cache-control")).toBe("public, max-age=300");
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
    const known = await fetch(url, {
      headers: { "accept-encoding": "gzip", "if-none-match": tags[1] ?? "" },
    });
    expect([known.status, await known.text()]).toEqual([304, ""]);
  });

  it("names the public URL as its server, on every path", async () => {
    const api = await openApi({ publicUrl: "https://example.com/hooks/" });
    const response = await api.fetch(new Request("http://localhost/v1/openapi.json"));
    expect(await response.json()).toMatchObject({ servers: [{ url: "https://example.com/hooks" }] });
    const unknown = await api.fetch(new Request("http://localhost/v1/nothing"));
    expect(await unknown.text()).toContain("https://example.com/hooks/v1/openapi.json");
    await expect(openApi({ publicUrl: "example.com" })).rejects.toThrow(/publicUrl must be/u);
  });

  it("is rendered once per base path, and all responses share the bytes", () => {
    const render = createDocumentText({ routes: publicApiRoutes, events });
    const here = render("/integrations");
    expect(render("/integrations").body).toBe(here.body);
    const other = render("/other");
    expect(other.etag).not.toBe(here.etag);
    expect(JSON.parse(new TextDecoder().decode(other.body))).toMatchObject({ servers: [{ url: "/other" }] });
    // A mount with a parameter has as many base paths as clients request. Only the latest are kept.
    for (let tenant = 0; tenant < 20; tenant += 1) render(`/${tenant}`);
    expect(render("/integrations").body).not.toBe(here.body);
  });
});
