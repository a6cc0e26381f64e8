import fc from "fast-check";
import type { Access, Route } from "../../src/routing/route.ts";
import { sampleOrder } from "./sample-order.ts";

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
  "password",
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
  fc.nat(300).map(toDeepValue),
  fc.constantFrom<unknown>(2 ** 53, -(2 ** 63), 1e21, 5e-324, 1.7976931348623157e308),
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

/** JSON that `JSON.stringify` never produces. */
const hostileJson = fc.constantFrom(
  "1e999",
  "-1e999",
  "9".repeat(400),
  '{"__proto__":{"demo":true}}',
  '{"a":[{"__proto__":null}]}',
  '{"\\u005f_proto__":1}',
  '{"constructor":{"prototype":{"demo":true}}}',
  '"\\ud800"',
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  '{"a":1,"a":{}}',
);

function toBody([field, json]: readonly [field: string, json: string]): string {
  return `{"${field}":${json}}`;
}

function toDeepValue(depth: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { data: value } : [value];
  return value;
}

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
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...knownFields), hostileJson).map(toBody) },
);

const hostileQuery = fc.oneof(
  fc.constant(""),
  fc.string({ maxLength: 60 }),
  fc
    .array(
      fc.tuple(
        fc.constantFrom(
          "limit",
          "cursor",
          "number",
          "email",
          "status",
          "project_id",
          "q",
          "kind",
          "webhook_id",
          "event",
          "unknown",
        ),
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

/** A malformed or malicious request. */
export interface HostileRequest {
  readonly access: Access;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Generates requests to each of these routes, mostly with the route's own method. */
export function toHostileRequests(routes: readonly Route[]): fc.Arbitrary<HostileRequest> {
  return fc
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
      parameters: fc.array(
        fc.oneof(
          hostileText,
          fc.constantFrom("KNOWNWEBHOOK", "KNOWNDELIVERY", "KNOWNWEBHOOK", "KNOWNDELIVERY"),
        ),
        { minLength: 3, maxLength: 3 },
      ),
      raw: fc.boolean(),
      query: hostileQuery,
      headers: fc.option(hostileHeaders, { nil: {} }),
      body: fc.option(hostileBody, { nil: undefined, freq: 8 }),
    })
    .map(({ route, method = route.method, parameters, raw, query, headers, body }) => {
      let next = 0;
      const path = route.path.replaceAll(/\{[^}]+\}/g, () => {
        const text = (parameters[next++] ?? "").toWellFormed();
        // The key under test must keep working.
        if (text === "acc_1") return "acc_2";
        return raw ? text.replaceAll(/[^!-~]|[?#]/g, "") : encodeURIComponent(text);
      });
      const hasBody = method !== "GET" && method !== "HEAD";
      return {
        method,
        path: `${path}${query === "" ? "" : `?${query}`}`,
        access: route.access,
        headers: { "content-type": "application/json", ...headers },
        body: hasBody ? body : undefined,
      };
    });
}
