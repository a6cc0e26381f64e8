import { createConfig, lintFromString } from "@redocly/openapi-core";
import { apiErrors, eventNames, maximumTries, specificationEvents } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createOpenApiDocument } from "../src/openapi/document.ts";
import { createDocumentText } from "../src/openapi/document-text.ts";
import { hostApi } from "../src/openapi/host-api.ts";
import { publicApi } from "../src/openapi/public-api.ts";
import { hostApiRoutes, publicApiRoutes } from "../src/routes/select-routes.ts";
import { call, codeOf } from "./support/call.ts";
import { listen } from "./support/listen.ts";
import { openApi } from "./support/open-api.ts";

const events = specificationEvents;
const createPublicDocument = (requestsPerMinute?: number): object =>
  createOpenApiDocument({
    api: publicApi,
    routes: publicApiRoutes,
    events,
    hasWebhooks: true,
    basePath: "",
    requestsPerMinute,
  });
const text = JSON.stringify(createPublicDocument(200));
const hostText = JSON.stringify(
  createOpenApiDocument({ api: hostApi, routes: hostApiRoutes, events, basePath: "" }),
);

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

  it("has a name for the body of each request of the host", () => {
    const { paths } = JSON.parse(hostText);
    const bodies = Object.values<Record<string, { operationId: string; requestBody?: never }>>(paths)
      .flatMap((item) => Object.values(item))
      .filter(({ requestBody }) => requestBody !== undefined);
    const unnamed = bodies.filter(
      ({ requestBody }) => !JSON.stringify(requestBody).includes('"schema":{"$ref"'),
    );
    // One event, or a list of them.
    expect(unnamed.map(({ operationId }) => operationId)).toEqual(["publishEvents"]);
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
      JSON.stringify(createPublicDocument(requestsPerMinute));
    const fifty = JSON.parse(textWith(50));
    expect(fifty.info.description).toContain("An account may send 50 requests per minute.");
    expect(fifty.components.headers.RateLimit.description).toContain('"default";r=49;t=60');
    expect(fifty.components.headers.RateLimitPolicy.description).toContain('"default";q=50;w=60');
    expect(textWith(1)).toContain("An account may send 1 request per minute.");
    expect(textWith(undefined)).not.toContain('per minute."');
    for (const each of [textWith(50), textWith(undefined)])
      expect(each).not.toMatch(/\b(200 requests|q=200|r=199)/u);
  });
});

describe.each([
  { name: "the public API", source: text, routes: publicApiRoutes },
  { name: "the host API", source: hostText, routes: hostApiRoutes },
])("the document of $name", ({ source, routes }) => {
  it("passes Redocly's recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source, config });
    const found = problems.map(({ ruleId, message, location }) => ({
      ruleId,
      message,
      at: location[0]?.pointer,
    }));
    // The id of a webhook is never `actions`.
    expect(found.filter(({ at }) => at !== "#/paths/~1host~1v1~1webhooks~1actions~1{id}")).toEqual([]);
  });

  it("gives each route a short summary of its own without a full stop, and the errors of all checks", () => {
    const { paths } = JSON.parse(source);
    const summaries = routes.map(({ summary }) => summary);
    expect(
      summaries.filter((summary) => summary.length > 70 || /[.:;]/u.test(summary.replace("3.1", ""))),
    ).toEqual([]);
    expect(new Set(summaries).size).toBe(routes.length);
    expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
    for (const { method, path, access } of routes) {
      const { responses, security } = paths[path][method.toLowerCase()];
      const statuses = Object.keys(responses);
      expect([path, security.length, statuses]).toEqual([
        path,
        access === "public" ? 0 : 1,
        expect.arrayContaining([
          ...(access === "public" ? [] : ["401", "403", "429"]),
          "405",
          "422",
          "500",
          "503",
        ]),
      ]);
    }
  });

  it("describes every field and every parameter", () => {
    const without: string[] = [];
    const look = (node: unknown, at: string): void => {
      if (typeof node !== "object" || node === null) return;
      const {
        properties,
        ...rest
      }: { properties?: Record<string, { description?: string; $ref?: string }> } = {
        ...node,
      };
      for (const [field, schema] of Object.entries(properties ?? {})) {
        const isClear = ["success", "data", "error", "code"].includes(field) || "const" in schema;
        if (!isClear && schema.description === undefined && schema.$ref === undefined)
          without.push(`${at}/${field}`);
        look(schema, `${at}/${field}`);
      }
      // `oneOf` says only which fields belong together.
      for (const [name, child] of Object.entries(rest))
        if (!/^(?:examples?|oneOf)$/u.test(name)) look(child, `${at}/${name}`);
    };
    look(JSON.parse(source), "");
    expect(without).toEqual([]);
  });
});

describe("the document of the host API", () => {
  it("names the scope of each operation, and the media types of files", () => {
    const { paths, components } = JSON.parse(hostText);
    expect(Object.keys(components.securitySchemes)).toEqual(["hostToken"]);
    expect(paths["/host/v1/events"].post.security).toEqual([{ hostToken: ["publish"] }]);
    expect(paths["/host/v1/events"].post.description).toContain("Needs the scope `publish`.");
    expect(paths["/host/v1/audit/export"].get.responses[200].content).toHaveProperty(["text/csv"]);
    expect(components.schemas.ErrorCode.enum).toContain("invalid_state");
  });

  it("shows how to declare and remove an event that is not one of the specification", () => {
    const { put, delete: removal } = JSON.parse(hostText).paths["/host/v1/event-types/{name}"];
    for (const { parameters } of [put, removal])
      expect(parameters).toMatchObject([{ name: "name", example: "parcel.sent" }]);
  });

  it.each([
    [
      { path: "/host/v1/parcels" },
      '/host/v1/parcels has no tag. Add a part of it to the tags of the "Host API"',
    ],
    [
      { path: "/host/v1/webhooks/{id}/parcels/{parcel}" },
      '{parcel} has no description. Add "parcels" in openapi/path-parameters.ts.',
    ],
    [{ answers: { 207: z.object({}) } }, "GET /host/v1/stats answers 207. Describe this status"],
    [{ answers: { 200: z.object({ weight: z.number() }) } }, "getStats: output.weight has no example"],
    [{ refusals: ["read_only_demo"] }, 'refuses with read_only_demo, which the "Host API" does not describe'],
  ] as const)("a route that lacks something fails with what to add: %j", (changes, message) => {
    const route = hostApiRoutes.find(({ path }) => path === "/host/v1/stats");
    if (route === undefined) throw new Error("the route is gone");
    const routes = [{ ...route, ...changes }];
    expect(() => createOpenApiDocument({ api: hostApi, routes, events, basePath: "" })).toThrow(message);
  });

  it("is there for a host token with the scope read, and names the path of the request as its server", async () => {
    const hostTokens = "all-token,shop:publish:shop-token";
    const api = await openApi({ hostToken: hostTokens, publicUrl: "https://example.com/hooks" });
    const target = "GET /host/v1/openapi.json";
    const document = await call(api, target, { token: "all-token" });
    expect(document.body).toMatchObject({ openapi: "3.1.1", servers: [{ url: "/" }] });
    expect(document.headers.get("cache-control")).toBe("private, no-cache");
    expect(codeOf(await call(api, target))).toBe("invalid_api_key");
    expect(codeOf(await call(api, target, { token: "shop-token" }))).toBe("forbidden");
    const without = await openApi({ hostToken: undefined });
    expect(codeOf(await call(without, target, { token: "all-token" }))).toBe("not_found");
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
    const render = createDocumentText({ api: publicApi, routes: publicApiRoutes, events });
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
