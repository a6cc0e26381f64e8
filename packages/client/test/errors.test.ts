import { describe, expect, it } from "vitest";
import { apiErrors } from "@hookwright/domain";
import { createClient } from "../src/create-client.ts";
import { isApiErrorCode } from "../src/error-codes.ts";
import type { ClientOptions } from "../src/options.ts";
import { failureOf } from "./support/failure-of.ts";
import { openServer } from "./support/open-server.ts";
import { openWorld } from "./support/open-world.ts";
import { refusal, scriptedFetch, success } from "./support/scripted-fetch.ts";
import type { Step } from "./support/scripted-fetch.ts";

const failureFor = (step: Step, options: Partial<ClientOptions> = {}) => {
  const { fetch } = scriptedFetch(step);
  const client = createClient({
    baseUrl: "https://example.com",
    apiKey: "hwk_1",
    retries: 0,
    fetch,
    ...options,
  });
  return failureOf(client.me());
};

describe("an error of the real API", () => {
  it("has its code, status and request id", async () => {
    await using world = await openWorld();
    const { client } = world;
    const site = { project_id: "site_1" };
    const refusals = [
      [world.connect({ apiKey: "hwk_that_nobody_knows" }).me(), 401, "invalid_api_key"],
      [client.orders.get("ord_unknown"), 404, "resource_not_found"],
      [client.orders.list().page({ cursor: "made-up" }), 400, "invalid_cursor"],
      [client.orders.list({ limit: 0 }).page(), 422, "validation_failed"],
      [client.contacts.save({ ...site, email: "x" }), 422, "validation_failed"],
      [client.webhooks.create({ event: "x", target_url: "https://example.com" }), 422, "unknown_event"],
      [client.webhooks.create({ event: "order.paid", target_url: "http://x" }), 422, "invalid_target_url"],
      [client.subscribers.create({ ...site, email: "a@example.com", list_id: "x" }), 422, "invalid_list"],
    ] as const;
    for (const [call, status, code] of refusals) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ name: "ClientError", code, status });
      expect(error.requestId).toMatch(/^req_/);
    }
    expect(world.waits).toEqual([]);
  });

  it("keeps the API's message and adds advice if it has none", async () => {
    await using world = await openWorld();
    const { client } = world;
    const invalid = await failureOf(client.contacts.save({ project_id: "site_1", email: "x" }));
    expect(invalid.message).toBe("email: must be an e-mail address");
    expect(invalid.operation).toBe("POST /v1/contacts");
    const unknown = client.webhooks.create({
      event: "order.paid",
      target_url: "https://example.com",
      project_id: "site_9",
    });
    expect((await failureOf(unknown)).message).toBe(
      "project_id: is not one of the account's sites. client.projects.list() returns the ids.",
    );
  });

  it("for a wrong base path is not_found", async () => {
    await using world = await openWorld();
    const error = await failureOf(world.connect({ baseUrl: `${world.baseUrl}/v1` }).me());
    expect(error).toMatchObject({ code: "not_found", status: 404 });
    expect(error.message).toContain("without /v1");
  });

  it("always has a code that the client knows", () => {
    const codes = Object.keys(apiErrors);
    expect(codes.filter((code) => !isApiErrorCode(code))).toEqual([]);
    expect(["toString", "__proto__", "timeout"].filter(isApiErrorCode)).toEqual([]);
  });
});

describe("a response that is not from the API", () => {
  it("is quoted in one short line with its status", async () => {
    const html = `<html>\n<h1>502  Bad\tGateway</h1>\u001b[31m${"x".repeat(10_000)}`;
    const error = await failureFor(() => new Response(html, { status: 502 }));
    expect(error).toMatchObject({ code: "unexpected_answer", status: 502 });
    expect(error.cause).toBeUndefined();
    expect(error.message).toMatch(
      /^GET \/v1\/me: the response with status 502 has .*<html> <h1>502 Bad Gateway<\/h1> \[31mx+…/,
    );
    expect(error.message.length).toBeLessThan(450);
  });

  it.each([
    ["truncated JSON", '{"success":true,"data":{"id":"acc'],
    ["nothing", ""],
    ["text that destr would accept", "true"],
    ["a number", "12"],
    ["a list", "[1]"],
    ["null", "null"],
    ["a JSON string", '"hello"'],
    ["JSON of another API", '{"status":"ok"}'],
    ["an error with a success status", '{"success":false,"error":{"code":"not_found","message":""}}'],
    ["data without success", '{"success":false,"data":{}}'],
    ["no data", '{"success":true}'],
    ["data that is null", '{"success":true,"data":null}'],
    ["an envelope only on the prototype", '{"__proto__":{"success":true,"data":{}}}'],
  ])("with status 200 is an error if it is %s", async (_, text) => {
    expect(await failureFor(() => new Response(text))).toMatchObject({
      code: "unexpected_answer",
      status: 200,
    });
  });

  it.each([
    ["a success", '{"success":true,"data":{}}'],
    ["an error without a code", '{"success":false,"error":{"message":"no"}}'],
    ["an error that is a text", '{"error":"no"}'],
  ])("with status 403 is an error if it is %s", async (_, text) => {
    expect(await failureFor(() => new Response(text, { status: 403 }))).toMatchObject({
      code: "unexpected_answer",
      status: 403,
    });
  });

  it("cannot change a prototype", async () => {
    const { fetch } = scriptedFetch(
      () => new Response('{"success":true,"data":{"__proto__":{"admin":true}}}'),
    );
    const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch });
    expect(await client.me()).not.toHaveProperty("admin");
    expect({}).not.toHaveProperty("admin");
  });

  it("may have a code of a later version, which is named", async () => {
    expect(await failureFor(refusal(422, "list_is_full"))).toMatchObject({
      code: "unknown_code",
      status: 422,
      message: "list_is_full: list_is_full it is.",
    });
  });

  it.each([{}, { signing_secret: null }])(
    "a new webhook without its secret is an error: %j",
    async (fields) => {
      const { fetch } = scriptedFetch(success({ id: "wh_1", ...fields }, 201));
      const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch });
      const creation = client.webhooks.create({ event: "order.paid", target_url: "https://example.com" });
      expect(await failureOf(creation)).toMatchObject({ code: "unexpected_answer", outcomeUnknown: true });
    },
  );

  it("is not an OpenAPI document without an openapi field", async () => {
    for (const document of [{ openapi: 3 }, { swagger: "2.0" }]) {
      const { fetch } = scriptedFetch(() => Response.json(document));
      const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch });
      expect((await failureOf(client.openApi())).code).toBe("unexpected_answer");
    }
  });

  it("is read up to a limit and then cancelled", async () => {
    let cancelled = false;
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          pull: (stream) => stream.enqueue(new Uint8Array(1_000)),
          cancel: () => void (cancelled = true),
        }),
      );
    const error = await failureFor(endless, { responseLimitBytes: 10_000 });
    expect(error).toMatchObject({ code: "response_too_large", status: 200 });
    expect(cancelled).toBe(true);
  });

  it("may split characters between two chunks", async () => {
    const bytes = new TextEncoder().encode('{"success":true,"data":{"name":"Zoë 🥖"}}');
    const inBytes = (): Response => {
      const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
      return new Response(
        new ReadableStream({
          pull(stream) {
            const chunk = chunks.shift();
            if (chunk === undefined) stream.close();
            else stream.enqueue(chunk);
          },
        }),
      );
    };
    const { fetch } = scriptedFetch(inBytes);
    const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch });
    expect(await client.me()).toEqual({ name: "Zoë 🥖" });
  });
});

describe("on a real socket", () => {
  it("a redirect is not followed, so the key stays secret", async () => {
    const reached: string[] = [];
    await using elsewhere = await openServer((request, response) => {
      reached.push(request.headers.authorization ?? "");
      response.end();
    });
    await using api = await openServer((_, response) => {
      response.writeHead(307, { location: `${elsewhere.origin}/v1/me`, "x-request-id": "req_1" }).end();
    });
    const client = createClient({ baseUrl: api.origin, apiKey: "hwk_1" });
    const error = await failureOf(client.me());
    expect(error).toMatchObject({ code: "unexpected_redirect", status: 307, requestId: "req_1" });
    expect(error.message).toContain(`${elsewhere.origin}/v1/me`);
    expect(reached).toEqual([]);
  });

  it("an opaque redirect of a browser is reported as a redirect", async () => {
    const hidden = (): Response =>
      Object.defineProperties(new Response(), { status: { value: 0 }, type: { value: "opaqueredirect" } });
    expect((await failureFor(hidden)).code).toBe("unexpected_redirect");
  });

  it("an unreachable address is named with the reason", async () => {
    const closed = await openServer(() => {});
    await closed[Symbol.asyncDispose]();
    const client = createClient({ baseUrl: closed.origin, apiKey: "hwk_1", retries: 0 });
    const error = await failureOf(client.me());
    expect(error).toMatchObject({ code: "network_failure", status: undefined });
    expect(error.message).toMatch(
      /^GET \/v1\/me: no complete response from http:\/\/127.*: fetch failed: .*ECONNREFUSED/,
    );
  });

  it("an incomplete response is a network failure", async () => {
    await using api = await openServer((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"success"');
      setImmediate(() => response.destroy());
    });
    const client = createClient({ baseUrl: api.origin, apiKey: "hwk_1", retries: 0 });
    expect((await failureOf(client.me())).code).toBe("network_failure");
  });

  it("a mock of fetch that is installed later is used", async () => {
    const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1" });
    const original = globalThis.fetch;
    globalThis.fetch = async () => Response.json({ success: true, data: { id: "acc_mocked" } });
    try {
      expect(await client.me()).toEqual({ id: "acc_mocked" });
    } finally {
      globalThis.fetch = original;
    }
  });
});

it("a body with a cycle is not sent", async () => {
  const { fetch, requests } = scriptedFetch(success({}));
  const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch });
  const body = { project_id: "site_1", email: "ada@example.com" };
  Object.assign(body, { body });
  expect((await failureOf(client.contacts.save(body))).code).toBe("invalid_argument");
  expect(requests).toEqual([]);
});
