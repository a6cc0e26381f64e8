import { describe, expect, it } from "vitest";
import { errorCatalogue } from "@hookwright/domain";
import { createClient } from "../src/create-client.ts";
import { isApiErrorCode } from "../src/error-codes.ts";
import type { ClientOptions } from "../src/options.ts";
import { failureOf } from "./support/failure-of.ts";
import { openServer } from "./support/open-server.ts";
import { openWorld } from "./support/open-world.ts";
import { refusal, scriptedFetch, success } from "./support/scripted-fetch.ts";
import type { Step } from "./support/scripted-fetch.ts";

const ask = (step: Step, options: Partial<ClientOptions> = {}) => {
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

describe("what the real API refuses", () => {
  it("comes with its code, status and request id", async () => {
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

  it("keeps the API's own words, and adds what to do where they leave it open", async () => {
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
      "project_id: is not one of the account's sites. client.projects.list() has the ids.",
    );
  });

  it("a wrong base path is an endpoint that there is not", async () => {
    await using world = await openWorld();
    const error = await failureOf(world.connect({ baseUrl: `${world.baseUrl}/v1` }).me());
    expect(error).toMatchObject({ code: "not_found", status: 404 });
    expect(error.message).toContain("without /v1");
  });

  it("has no code that the client does not know", () => {
    const codes = [...Object.keys(errorCatalogue), "internal_error"];
    expect(codes.filter((code) => !isApiErrorCode(code))).toEqual([]);
    expect(["toString", "__proto__", "timeout"].filter(isApiErrorCode)).toEqual([]);
  });
});

describe("an answer that is not the API's", () => {
  it("a proxy's page is quoted in one short line, with its status", async () => {
    const html = `<html>\n<h1>502  Bad\tGateway</h1>\u001b[31m${"x".repeat(10_000)}`;
    const error = await ask(() => new Response(html, { status: 502 }));
    expect(error).toMatchObject({ code: "unexpected_answer", status: 502 });
    expect(error.cause).toBeUndefined();
    expect(error.message).toMatch(
      /^GET \/v1\/me: answered 502 with .*<html> <h1>502 Bad Gateway<\/h1> \[31mx+…/,
    );
    expect(error.message.length).toBeLessThan(450);
  });

  it.each([
    ["cut JSON", '{"success":true,"data":{"id":"acc'],
    ["nothing", ""],
    ["text that destr would take", "true"],
    ["a number", "12"],
    ["a list", "[1]"],
    ["null", "null"],
    ["a JSON string", '"hello"'],
    ["JSON of somebody else", '{"status":"ok"}'],
    ["a refusal with a status of success", '{"success":false,"error":{"code":"not_found","message":""}}'],
    ["data, and no success", '{"success":false,"data":{}}'],
    ["no data", '{"success":true}'],
    ["data that is null", '{"success":true,"data":null}'],
    ["an envelope on the prototype alone", '{"__proto__":{"success":true,"data":{}}}'],
  ])("with status 200 is refused where it is %s", async (_, text) => {
    expect(await ask(() => new Response(text))).toMatchObject({ code: "unexpected_answer", status: 200 });
  });

  it.each([
    ["a success", '{"success":true,"data":{}}'],
    ["an error without a code", '{"success":false,"error":{"message":"no"}}'],
    ["an error that is a text", '{"error":"no"}'],
  ])("with status 403 is refused where it is %s", async (_, text) => {
    expect(await ask(() => new Response(text, { status: 403 }))).toMatchObject({
      code: "unexpected_answer",
      status: 403,
    });
  });

  it("does not reach a prototype", async () => {
    const { fetch } = scriptedFetch(
      () => new Response('{"success":true,"data":{"__proto__":{"admin":true}}}'),
    );
    const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch });
    expect(await client.me()).not.toHaveProperty("admin");
    expect({}).not.toHaveProperty("admin");
  });

  it("a code of a later version is told as such, by its name", async () => {
    expect(await ask(refusal(422, "list_is_full"))).toMatchObject({
      code: "unknown_code",
      status: 422,
      message: "list_is_full: list_is_full it is.",
    });
  });

  it.each([{}, { signing_secret: null }])(
    "a new webhook without its secret is no success: %j",
    async (fields) => {
      const { fetch } = scriptedFetch(success({ id: "wh_1", ...fields }, 201));
      const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch });
      const creation = client.webhooks.create({ event: "order.paid", target_url: "https://example.com" });
      expect(await failureOf(creation)).toMatchObject({ code: "unexpected_answer", outcomeUnknown: true });
    },
  );

  it("is no description of the API unless it names its OpenAPI", async () => {
    for (const document of [{ openapi: 3 }, { swagger: "2.0" }]) {
      const { fetch } = scriptedFetch(() => Response.json(document));
      const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch });
      expect((await failureOf(client.openApi())).code).toBe("unexpected_answer");
    }
  });

  it("is read up to a limit, and let go behind it", async () => {
    let cancelled = false;
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          pull: (stream) => stream.enqueue(new Uint8Array(1_000)),
          cancel: () => void (cancelled = true),
        }),
      );
    const error = await ask(endless, { responseLimitBytes: 10_000 });
    expect(error).toMatchObject({ code: "response_too_large", status: 200 });
    expect(cancelled).toBe(true);
  });

  it("keeps characters whole that are cut between two chunks", async () => {
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
  it("a redirect is not followed: nobody else gets the key", async () => {
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

  it("a redirect that a browser hides is one too", async () => {
    const hidden = (): Response =>
      Object.defineProperties(new Response(), { status: { value: 0 }, type: { value: "opaqueredirect" } });
    expect((await ask(hidden)).code).toBe("unexpected_redirect");
  });

  it("an address where nobody listens is named, with the reason", async () => {
    const closed = await openServer(() => {});
    await closed[Symbol.asyncDispose]();
    const client = createClient({ baseUrl: closed.origin, apiKey: "hwk_1", retries: 0 });
    const error = await failureOf(client.me());
    expect(error).toMatchObject({ code: "network_failure", status: undefined });
    expect(error.message).toMatch(
      /^GET \/v1\/me: no complete answer from http:\/\/127.*: fetch failed: .*ECONNREFUSED/,
    );
  });

  it("an answer that breaks off is a failure of the network", async () => {
    await using api = await openServer((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"success"');
      setImmediate(() => response.destroy());
    });
    const client = createClient({ baseUrl: api.origin, apiKey: "hwk_1", retries: 0 });
    expect((await failureOf(client.me())).code).toBe("network_failure");
  });

  it("a mock that is put in place of fetch later is met", async () => {
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

it("a body that holds itself is not sent", async () => {
  const { fetch, requests } = scriptedFetch(success({}));
  const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch });
  const body = { project_id: "site_1", email: "ada@example.com" };
  Object.assign(body, { body });
  expect((await failureOf(client.contacts.save(body))).code).toBe("invalid_argument");
  expect(requests).toEqual([]);
});
