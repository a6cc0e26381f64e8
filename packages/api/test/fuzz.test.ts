import { randomInt } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostApiRoutes, publicApiRoutes } from "../src/routes/select-routes.ts";
import { toAnswered } from "./support/call.ts";
import { listen, openConnection } from "./support/listen.ts";
import { hostToken, openApi } from "./support/open-api.ts";
import type { TestApi } from "./support/open-api.ts";
import { sampleOrder } from "./support/sample-order.ts";

const seed = randomInt(2 ** 31);
console.info(`fuzz seed ${seed}`);

// The OpenAPI document is the one answer without an envelope.
const routes = [...publicApiRoutes, ...hostApiRoutes].filter(({ path }) => path !== "/v1/openapi.json");

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 2_000 }),
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "\ud800",
    "\udfff\ud800",
    "__proto__",
    "constructor",
    "..",
    ".",
    "/",
    "%",
    "%00",
    "%2F",
    "0",
    "-1",
    "1e9",
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "\r\nX-Evil: 1",
    "a".repeat(20_000),
    "é".repeat(3_000),
    "order.created",
    "site_1",
    "ord_1",
    "ada@example.com",
    "UTC",
    "https://example.com/a",
    "active",
    "bounced",
    "https://[::1]/",
    "https://127.1/",
    "http://x",
    "https://a b/",
    "2026-02-30T25:00:00Z",
    "＠",
    "💥".repeat(99),
  ),
);

const knownFields = [
  "event",
  "project_id",
  "target_url",
  "data",
  "name",
  "email",
  "timezone",
  "status",
  "plan",
  "demo",
  "reason",
  "account_id",
  "integration",
  "tags",
  "list_id",
  "phone",
  "notes",
  "title",
  "content",
  "slug",
  "featured_image",
];

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    1e308,
    -1,
    0.1,
    [],
    {},
    [[]],
    [null],
    sampleOrder({ id: "ord_1" }),
  ),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(hostileText, { maxLength: 5 }),
  fc.dictionary(fc.constantFrom(...Object.keys(sampleOrder()), "integrations", "crm", "id"), fc.jsonValue()),
);

const hostileObject = fc.dictionary(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...knownFields) }, { weight: 1, arbitrary: hostileText }),
  hostileValue,
  {
    maxKeys: 8,
  },
);

const hostileBody = fc.oneof(
  { weight: 6, arbitrary: hostileObject.map((value) => JSON.stringify(value)) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.oneof(hostileObject, hostileValue), { maxLength: 6 })
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Uint8Array.from(bytes)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 100 }) },
);

const hostileQuery = fc.oneof(
  fc.constant(""),
  fc.string({ maxLength: 60 }),
  fc
    .array(
      fc.tuple(
        fc.constantFrom("limit", "cursor", "number", "email", "status", "project_id", "unknown"),
        hostileText,
      ),
      { maxLength: 4 },
    )
    .map((pairs) =>
      pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join("&"),
    ),
);

const hostileHeaders = fc.dictionary(
  fc.constantFrom(
    "content-type",
    "authorization",
    "origin",
    "x-request-id",
    "content-length",
    "accept",
    "content-encoding",
    "x-forwarded-host",
  ),
  fc.oneof(
    fc.constantFrom(
      "application/json",
      "text/plain",
      "Bearer x",
      "gzip",
      "-1",
      "99999999999999999999",
      "null",
      "a;b=c",
    ),
    fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[^\t\u0020-\u007e]/g, "").trim()),
  ),
  { maxKeys: 3 },
);

interface Hostile {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

const hostileRequest: fc.Arbitrary<Hostile> = fc
  .record({
    route: fc.constantFrom(...routes),
    method: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      "GET",
      "HEAD",
      "PUT",
      "DELETE",
      "PATCH",
      "POST",
      "OPTIONS",
    ),
    parameters: fc.array(hostileText, { minLength: 3, maxLength: 3 }),
    raw: fc.boolean(),
    query: hostileQuery,
    headers: fc.option(hostileHeaders, { nil: {} }),
    body: fc.option(hostileBody, { nil: undefined, freq: 8 }),
  })
  .map(({ route, method = route.method, parameters, raw, query, headers, body }) => {
    let next = 0;
    const path = route.path.replaceAll(/\{[^}]+\}/g, () => {
      const text = (parameters[next++] ?? "").toWellFormed();
      // The key under test has to go on working.
      if (text === "acc_1") return "acc_2";
      return raw ? text.replaceAll(/[^!-~]|[?#]/g, "") : encodeURIComponent(text);
    });
    const hasBody = method !== "GET" && method !== "HEAD";
    return {
      method,
      path: `${path}${query === "" ? "" : `?${query}`}`,
      headers: {
        ...(route.access === "host" ? { authorization: `Bearer ${hostToken}` } : {}),
        "content-type": "application/json",
        ...headers,
      },
      body: hasBody ? body : undefined,
    };
  });

async function openFuzzed(): Promise<TestApi> {
  const api = await openApi();
  const data = sampleOrder({ id: "ord_1" });
  await api.options.service.publish({ event: "order.created", project_id: "site_1", data });
  return api;
}

describe.each([
  ["a fixed seed", 20_261_120, 1_500],
  ["a new seed each time", seed, 1_000],
] as const)("hostile requests of %s", (_, seed, numRuns) => {
  it("never meet a fault", async () => {
    const api = await openFuzzed();
    await fc.assert(
      fc.asyncProperty(hostileRequest, async ({ method, path, headers, body }) => {
        const authorization = `Bearer ${api.apiKey}`;
        const request = new Request(`http://localhost${path}`, {
          method,
          headers: { authorization, ...headers },
          ...(body === undefined ? {} : { body }),
        });
        const answered = await toAnswered(await api.fetch(request));
        expect({ status: answered.status, log: api.log }).toEqual({
          status: expect.toSatisfy(isNoFault),
          log: [],
        });
        expect(answered.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
        const hasEnvelope = method !== "HEAD" && answered.status !== 204;
        expect(answered.body.success).toBe(hasEnvelope ? answered.status < 300 : undefined);
      }),
      { seed, numRuns },
    );
  });

  it("never meet a fault as raw bytes on one server", async () => {
    const api = await openFuzzed();
    await using server = await listen(api.handler);
    await fc.assert(
      fc.asyncProperty(hostileRequest, fc.boolean(), async ({ method, path, headers, body = "" }, lies) => {
        using connection = openConnection(server.port);
        const bytes = typeof body === "string" ? Buffer.from(body.toWellFormed()) : body;
        const lines = Object.entries({
          host: "localhost",
          connection: "close",
          authorization: `Bearer ${api.apiKey}`,
          ...headers,
          "content-length": String(lies ? bytes.byteLength + 1 : bytes.byteLength),
        }).map(([name, value]) => `${name}: ${value}\r\n`);
        connection.send(Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"));
        connection.socket.end(bytes);
        const received = await connection.closed;
        expect(received).toMatch(lies ? /^($|HTTP\/1\.1 [1-4])/ : /^HTTP\/1\.1 [1-4]/);
        expect(api.log).toEqual([]);
      }),
      { seed, numRuns: numRuns / 5 },
    );
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });
});

function isNoFault(status: unknown): boolean {
  return typeof status === "number" && status >= 200 && status < 500;
}
