import { describe, expect, it } from "vitest";
import { call, codeOf } from "./support/call.ts";
import type { Answered } from "./support/call.ts";
import { hostToken, openApi } from "./support/open-api.ts";

const create = "POST /v1/webhooks";
const asJson = { "content-type": "application/json" };
const webhook = JSON.stringify({ event: "order.created", target_url: "https://example.com/hook" });

function refusalOf({ status, body }: Answered): (number | string | undefined)[] {
  return [status, body.error?.code, body.error?.message];
}

describe("a body's content type", () => {
  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/problem+json",
    "text/json",
    "application/json, text/plain",
    "json",
    ";",
  ])("%s gets 415", async (contentType) => {
    const headers = { "content-type": contentType };
    const answered = await call(await openApi(), create, { headers, body: webhook });
    expect([answered.status, codeOf(answered)]).toEqual([415, "validation_failed"]);
  });

  it("a missing content type gets 415", async () => {
    const body = new TextEncoder().encode(webhook);
    expect((await call(await openApi(), create, { body })).status).toBe(415);
  });

  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    "application/json;charset=latin1",
    'application/json ; charset="UTF-8"; x=y',
  ])("%s is accepted", async (contentType) => {
    const headers = { "content-type": contentType };
    expect((await call(await openApi(), create, { headers, body: webhook })).status).toBe(201);
  });

  it("a route without a body ignores it", async () => {
    const api = await openApi();
    const headers = { "content-type": "text/plain" };
    const answered = await call(api, "DELETE /v1/webhooks/none", { headers, body: "hello" });
    expect(codeOf(answered)).toBe("resource_not_found");
  });

  it("a content coding gets 415", async () => {
    const headers = { ...asJson, "content-encoding": "gzip" };
    expect((await call(await openApi(), create, { headers, body: webhook })).status).toBe(415);
  });
});

describe("a malformed body", () => {
  it.each([
    ["nothing", ""],
    ["blanks", " \n"],
    ["half an object", '{"event":'],
    ["two objects", "{}{}"],
    ["a comment", "{} // no"],
    ["a trailing comma", '{"event":"x",}'],
    ["NaN", '{"event":NaN}'],
    ["single quotes", "{'event':'x'}"],
    ["a text", '"text"'],
    ["a number", "1"],
    ["true", "true"],
    ["null", "null"],
    ["an array", "[]"],
    ["an array of objects", "[{}]"],
    ["a __proto__ key", '{"__proto__":{"event":"order.created"}}'],
    ["a nested __proto__ key", '{"a":[{"b":{"__proto__":1}}]}'],
    ["an escaped __proto__ key", String.raw`{"a":{"\u005f_proto\u005F_":1}}`],
    ["a megabyte of brackets", "[".repeat(1_000_000)],
    ["nested arrays", `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`],
    ["nested objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["a byte order mark of UTF-16", "\uFFFE{}"],
  ])("%s gets 400", async (_, body) => {
    const answered = await call(await openApi(), create, { headers: asJson, body });
    expect([answered.status, codeOf(answered)]).toEqual([400, "validation_failed"]);
    expect(answered.body.error?.message).toMatch(/^body: /);
  });

  it.each([
    ["a lone continuation byte", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["half a character", [0xe2, 0x82]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["Latin-1", [0xe9]],
  ])("%s gets 400", async (_, bytes) => {
    const body = new Uint8Array([...Buffer.from('{"event":"'), ...bytes, ...Buffer.from('"}')]);
    const answered = await call(await openApi(), create, { headers: asJson, body });
    expect(refusalOf(answered)).toEqual([400, "validation_failed", "body: must be UTF-8"]);
  });

  it("the error message does not repeat the body", async () => {
    const answered = await call(await openApi(), create, { headers: asJson, body: '{"secret-word' });
    expect(answered.text).not.toContain("secret");
  });
});

it("a __proto__ value that is not a key is accepted", async () => {
  const json = { event: "order.created", target_url: "https://example.com/__proto__", note: "__proto__" };
  expect((await call(await openApi(), create, { json })).status).toBe(201);
});

it.each([
  ["[", "]"],
  ['{"a":', "}"],
])("64 levels are accepted, and 65 are refused: %s", async (opening, closing) => {
  const nested = (levels: number) =>
    `{"event":"order.created","target_url":"https://example.com/hook","note":${opening.repeat(levels)}1${closing.repeat(levels)}}`;
  const api = await openApi();
  expect((await call(api, create, { headers: asJson, body: nested(63) })).status).toBe(201);
  const answered = await call(api, create, { headers: asJson, body: nested(64) });
  expect(refusalOf(answered)).toEqual([
    400,
    "validation_failed",
    "body: must not be nested deeper than 64 levels",
  ]);
});

it.each(["at the top level", "in a nested object"])(
  "1,000 fields %s are accepted, and 1,001 are refused",
  async (where) => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]));
    const hook = { event: "order.created", target_url: "https://example.com/hook" };
    const body = (count: number) =>
      where === "in a nested object" ? { ...hook, note: [fields(count)] } : { ...hook, ...fields(count - 2) };
    const api = await openApi();
    expect((await call(api, create, { json: body(1_000) })).status).toBe(201);
    expect(refusalOf(await call(api, create, { json: body(1_001) }))).toEqual([
      400,
      "validation_failed",
      "body: must not have more than 1000 fields in an object",
    ]);
  },
);

describe("a number that JavaScript cannot hold", () => {
  const publish = (data: string) => ({
    token: hostToken,
    headers: asJson,
    body: `{"event":"order.created","project_id":"site_1","data":${data}}`,
  });

  it("is an id with all its digits", async () => {
    const request = publish('{"id":9007199254740993,"number":12345678901234567890,"total":9.50}');
    const { body } = await call(await openApi(), "POST /host/v1/events", request);
    expect(body.data).toMatchObject({
      id: "order.created_9007199254740993",
      adjusted: expect.arrayContaining(["id", "number"]),
    });
  });

  it.each(["12345678901234567890", "12345678901234.123456", "1e400"])(
    "is refused as the amount %s, by name",
    async (total) => {
      const answered = await call(
        await openApi(),
        "POST /host/v1/events",
        publish(`{"id":"ord_1","total":${total}}`),
      );
      expect(refusalOf(answered)).toEqual([
        422,
        "validation_failed",
        "data.total: must be a number, or decimal text such as 9.50 with at most 15 digits",
      ]);
    },
  );

  it("is refused in a large body, because its values are parsed one by one", async () => {
    const values = JSON.stringify(Array.from({ length: 100_000 }, () => 1));
    const body = `{"event":"order.created","note":9007199254740993,"values":${values}}`;
    expect(refusalOf(await call(await openApi(), create, { headers: asJson, body }))).toEqual([
      400,
      "validation_failed",
      "body: must have fewer values if a number has more than 15 digits. Send that number as text",
    ]);
  });

  it("is refused as a limit of a plan, by name", async () => {
    const answered = await call(await openApi(), "PUT /host/v1/accounts/acc_1", {
      token: hostToken,
      headers: asJson,
      body: '{"plan":{"monthly_new_subscribers":9007199254740993}}',
    });
    expect(refusalOf(answered)).toEqual([
      422,
      "validation_failed",
      expect.stringMatching(/^plan\.monthly_new_subscribers: /u),
    ]);
  });
});

it("a body in several pieces is joined, even if a piece ends inside a character", async () => {
  const json = { name: "Bäckerei ☕", email: "b@example.com" };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of Buffer.from(JSON.stringify(json))) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const put = "PUT /host/v1/accounts/acc_2";
  const answered = await call(await openApi(), put, { token: hostToken, headers: asJson, body });
  expect([answered.status, answered.body.data]).toMatchObject([201, json]);
});

it("a byte order mark before the JSON is ignored", async () => {
  expect((await call(await openApi(), create, { headers: asJson, body: `\uFEFF${webhook}` })).status).toBe(
    201,
  );
});

it("one message reports all problems of a body and names each field", async () => {
  const answered = await call(await openApi(), create, { json: { event: 5, target_url: " " } });
  expect(refusalOf(answered)).toEqual([
    422,
    "validation_failed",
    "event: must be text; target_url: is required",
  ]);
});

it.each(["", " \t", null, []])("a required field that is %j counts as missing", async (empty) => {
  const answered = await call(await openApi(), create, {
    json: { event: empty, target_url: "https://a.example" },
  });
  expect(refusalOf(answered)).toEqual([422, "validation_failed", "event: is required, or `events`"]);
});

describe("the length of a body", () => {
  const padded = (length: number): string => webhook.padEnd(length, " ");

  it("exactly the limit is accepted", async () => {
    const api = await openApi({ bodyLimitBytes: 1_000 });
    expect((await call(api, create, { headers: asJson, body: padded(1_000) })).status).toBe(201);
  });

  it("one byte over the limit gets 413", async () => {
    const api = await openApi({ bodyLimitBytes: 1_000 });
    const answered = await call(api, create, { headers: asJson, body: padded(1_001) });
    expect([answered.status, codeOf(answered)]).toEqual([413, "validation_failed"]);
  });

  it("the limit is 1 MiB on /v1 and 16 MiB on the host API", async () => {
    const api = await openApi();
    const put = "PUT /host/v1/suppressions/a@b.example";
    const body = '{"reason":"bounced"}';
    const host = { token: hostToken, headers: asJson };
    expect((await call(api, create, { headers: asJson, body: padded(2 ** 20) })).status).toBe(201);
    expect((await call(api, create, { headers: asJson, body: padded(2 ** 20 + 1) })).status).toBe(413);
    expect((await call(api, put, { ...host, body: body.padEnd(2 ** 24) })).status).toBe(201);
    expect((await call(api, put, { ...host, body: body.padEnd(2 ** 24 + 1) })).status).toBe(413);
  });

  it("the limit applies while an endless body is read", async () => {
    const api = await openApi();
    let pulled = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
      cancel() {
        isCancelled = true;
      },
    });
    const headers = { ...asJson, authorization: `Bearer ${api.apiKey}` };
    const init = { method: "POST", headers, body, duplex: "half" };
    const response = await api.fetch(new Request("http://localhost/v1/webhooks", init));
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(32);
    // The response ends although the body does not. The body is then cancelled.
    expect(JSON.parse(await response.text())).toMatchObject({ error: { code: "validation_failed" } });
    await expect.poll(() => isCancelled).toBe(true);
    expect(pulled).toBeLessThan(2_000);
  });
});
