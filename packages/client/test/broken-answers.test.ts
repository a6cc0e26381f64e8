import { describe, expect, it } from "vitest";
import { createClient } from "../src/create-client.ts";
import type { ClientOptions } from "../src/options.ts";
import { failureOf } from "./support/failure-of.ts";
import { refusal, scriptedFetch, silent, success } from "./support/scripted-fetch.ts";
import type { Step } from "./support/scripted-fetch.ts";

function connect(steps: readonly Step[], options: Partial<ClientOptions> = {}) {
  const { fetch, requests } = scriptedFetch(...steps);
  const waits: number[] = [];
  const client = createClient({
    baseUrl: "https://example.com",
    apiKey: "hwk_1",
    fetch,
    random: () => 0,
    sleep: async (delayMs) => void waits.push(delayMs),
    ...options,
  });
  return { client, requests, waits };
}

const draft = { project_id: "site_1", title: "A title" };
const contact = { project_id: "site_1", email: "ada@example.com" };
const headers = { "retry-after": "7", "x-request-id": "req_1" };
const head = { requestId: "req_1", retryAfterSeconds: 7 };
const oversized =
  (status: number): Step =>
  () =>
    new Response("x".repeat(2_000), { status, headers });
const broken =
  (status: number): Step =>
  () => {
    const pull = (stream: ReadableStreamDefaultController): void => stream.error(new Error("reset"));
    return new Response(new ReadableStream({ pull }), { status, headers });
  };
const stalling =
  (status: number): Step =>
  () =>
    new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), { status, headers });

describe.each([
  ["is too large", oversized, { responseLimitBytes: 1_000 }, "response_too_large"],
  ["is incomplete", broken, {}, "network_failure"],
  ["stalls", stalling, { timeoutMs: 20 }, "timeout"],
])("a response whose body %s", (_, answer, options, code) => {
  it("keeps its status and headers", async () => {
    const { client } = connect([answer(503)], { ...options, retries: 0 });
    expect(await failureOf(client.me())).toMatchObject({ code, status: 503, ...head });
  });

  it("means with 429 that nothing was done, and is retried after Retry-After", async () => {
    const { client, waits } = connect([answer(429), success({})], options);
    expect(await client.blogPosts.create(draft)).toEqual({});
    expect(waits).toEqual([7_000]);
    const once = connect([answer(429)], { ...options, retries: 0 });
    expect(await failureOf(once.client.blogPosts.create(draft))).toMatchObject({
      code,
      status: 429,
      outcomeUnknown: false,
      ...head,
    });
  });

  it("means with a success status that the outcome of a write is unknown", async () => {
    const { client, requests } = connect([answer(201)], options);
    expect(await failureOf(client.blogPosts.create(draft))).toMatchObject({
      status: 201,
      outcomeUnknown: true,
    });
    expect(requests).toHaveLength(1);
  });

  it("keeps an earlier unknown outcome after a 429", async () => {
    const { client } = connect([refusal(503, "internal_error"), answer(429)], { ...options, retries: 1 });
    expect(await failureOf(client.contacts.save(contact))).toMatchObject({
      status: 429,
      outcomeUnknown: true,
    });
  });
});

it("an attempt without a response has no status of an earlier attempt", async () => {
  const { client } = connect([broken(429), silent], { retries: 1, timeoutMs: 20 });
  expect(await failureOf(client.blogPosts.create(draft))).toMatchObject({
    code: "timeout",
    status: undefined,
    retryAfterSeconds: undefined,
    outcomeUnknown: true,
  });
});

it("an error of the now option is not a network failure", async () => {
  const fault = new Error("no clock here");
  const now = (): number => {
    throw fault;
  };
  const dated = refusal(429, "rate_limited", { "retry-after": "Fri, 20 Nov 2026 09:30:05 GMT" });
  await expect(connect([dated], { now }).client.me()).rejects.toBe(fault);
});

describe("a redirect", () => {
  it.each([301, 303, 308])("of %i is not followed", async (status) => {
    const { client } = connect([() => new Response(null, { status, headers: { location: "/x" } })]);
    expect(await failureOf(client.me())).toMatchObject({ code: "unexpected_redirect", status });
  });

  it("does not include 304", async () => {
    const { client } = connect([() => new Response(null, { status: 304 })]);
    expect(await failureOf(client.me())).toMatchObject({ code: "unexpected_answer", status: 304 });
  });

  it("cancels its body, which may be endless, without waiting", async () => {
    let cancelled = false;
    const endless: Step = () => {
      const cancel = (): Promise<never> => {
        cancelled = true;
        return new Promise(() => {});
      };
      return new Response(new ReadableStream({ cancel }), { status: 307, headers });
    };
    const { client } = connect([endless]);
    expect(await failureOf(client.me())).toMatchObject({ code: "unexpected_redirect", requestId: "req_1" });
    expect(cancelled).toBe(true);
  });

  it("is reported even if its body cannot be cancelled", async () => {
    const locked: Step = () => {
      const response = new Response("elsewhere", { status: 307 });
      response.body?.getReader();
      return response;
    };
    expect((await failureOf(connect([locked]).client.me())).code).toBe("unexpected_redirect");
  });
});

describe("received text", () => {
  const escapes = "\u001b[2J\u202e\n";

  it("is quoted up to 2000 characters, without control characters", async () => {
    const message = `no${escapes}${"x".repeat(5_000)}`;
    const answer: Step = () => Response.json({ error: { code: "not_found", message } }, { status: 404 });
    const error = await failureOf(connect([answer]).client.me());
    expect(error.message).toMatch(/^no \[2J x{1990,1995}…/);
    expect(error.message.length).toBeLessThan(2_100);
  });

  it("in a code is quoted up to 200 characters", async () => {
    const error = await failureOf(connect([refusal(422, "y".repeat(300))]).client.me());
    expect(error.message).toMatch(/^y{200}…: y+ it is\.$/);
  });

  it("in an address is quoted up to 500 characters", async () => {
    const location = `https://example.org/${"x".repeat(1_000)}`;
    const moved: Step = () => new Response(null, { status: 302, headers: { location } });
    const { message } = await failureOf(connect([moved]).client.me());
    expect(message).toContain(`redirects to https://example.org/${"x".repeat(480)}…, which`);
  });

  it("in a request id is kept up to 200 characters", async () => {
    const long: Step = () => new Response("", { headers: { "x-request-id": `\u009b${"r".repeat(300)}` } });
    const { requestId } = await failureOf(connect([long]).client.me());
    expect(requestId).toBe(`${"r".repeat(200)}…`);
  });

  it("is not truncated inside a character", async () => {
    const answer: Step = () => new Response(`${"x".repeat(199)}🥖 and more`);
    const { message } = await failureOf(connect([answer]).client.me());
    expect(message).toContain(`${"x".repeat(199)}…`);
    expect(message.isWellFormed()).toBe(true);
  });
});

describe("the limit of a response", () => {
  const text = '{"success":true,"data":{}}';

  it("is exact to the byte", async () => {
    const options = { responseLimitBytes: text.length };
    expect(await connect([() => new Response(text)], options).client.me()).toEqual({});
    const over = connect([() => new Response(`${text} `)], options);
    expect((await failureOf(over.client.me())).code).toBe("response_too_large");
  });
});

it("text that ends inside a character is quoted with a replacement character", async () => {
  const bytes = Uint8Array.of(0x6e, 0x6f, 0xe2, 0x82);
  const { message } = await failureOf(connect([() => new Response(bytes)]).client.me());
  expect(message).toContain("not a JSON object: no\ufffd.");
});
