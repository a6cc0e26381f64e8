import { inspect } from "node:util";
import { expect, it } from "vitest";
import { createClient } from "../src/create-client.ts";
import { createRedact } from "../src/http/redact.ts";
import { failureOf } from "./support/failure-of.ts";
import { refusal, scriptedFetch, success } from "./support/scripted-fetch.ts";
import type { Step } from "./support/scripted-fetch.ts";

const apiKey = "hwk_s3cret-k3y_of/48+characters";

/** All text that any logger could print. */
const everything = (value: unknown): string =>
  inspect(value, {
    showHidden: true,
    getters: true,
    depth: Infinity,
    maxStringLength: Infinity,
    maxArrayLength: Infinity,
  }) +
  JSON.stringify(value) +
  (value instanceof Error ? `${value.message}${value.stack}` : "");

const headersOf = ({ headers }: RequestInit): Headers => new Headers(headers);

const steps: Readonly<Record<string, Step>> = {
  "a fetch that throws an error with the request on it": (url, init) => {
    const cause = Object.assign(new Error(`socket hang up, sent ${headersOf(init).get("authorization")}`), {
      code: apiKey,
      request: { url, init, headers: Object.fromEntries(headersOf(init)) },
    });
    throw Object.assign(new TypeError(`fetch failed for ${apiKey}`, { cause }), {
      options: init,
      config: { apiKey },
    });
  },
  "a fetch that throws a text": () => {
    throw `no: Bearer ${apiKey}`;
  },
  "a fetch that throws an error of that name": () => {
    throw Object.assign(new Error("no"), { name: apiKey });
  },
  "a fetch that throws several errors": () => {
    throw new AggregateError([new Error(`first ${apiKey}`)], "");
  },
  "a proxy's page that quotes the request": (_, init) =>
    new Response(`<pre>${"x".repeat(170)} ${headersOf(init).get("authorization")}</pre>`, { status: 502 }),
  "a page that quotes it encoded": () => new Response(encodeURIComponent(apiKey), { status: 502 }),
  "a refusal that quotes it": () =>
    Response.json({ error: { code: "invalid_api_key", message: `no key ${apiKey}` } }, { status: 401 }),
  "a code that is it": refusal(400, apiKey),
  "a redirect that carries it": () =>
    new Response(null, { status: 302, headers: { location: `https://example.org/?key=${apiKey}` } }),
  "a request id that is it": () => new Response("", { headers: { "x-request-id": apiKey } }),
};

it.each(Object.entries(steps))("the error after %s does not contain the key", async (_, step) => {
  const { fetch } = scriptedFetch(step);
  const client = createClient({ baseUrl: "https://example.com", apiKey, retries: 0, fetch });
  const found = everything(await failureOf(client.me()));
  for (const part of ["s3cret", "k3y_of", "characters"]) expect(found).not.toContain(part);
});

it("the client and its lists do not expose the key", () => {
  const client = createClient({ baseUrl: "https://example.com", apiKey });
  expect(everything([client, client.orders.list(), client.orders.list().pages()])).not.toContain("s3cret");
});

it("an error does not quote an invalid key", () => {
  for (const wrong of [`${apiKey}\n`, `Bearer ${apiKey}`, `${apiKey}ü`]) {
    try {
      createClient({ baseUrl: "https://example.com", apiKey: wrong });
      expect.unreachable();
    } catch (error) {
      expect(everything(error)).not.toContain("s3cret");
    }
  }
});

it("a cause keeps its name, message, code and stack", async () => {
  const breakDown = (): never => {
    const cause = Object.assign(new RangeError("too far"), { code: "ERANGE" });
    throw new TypeError("fetch failed", { cause });
  };
  const { fetch } = scriptedFetch(breakDown);
  const client = createClient({ baseUrl: "https://example.com", apiKey, retries: 0, fetch });
  const { message, cause } = await failureOf(client.me());
  expect(message).toContain("fetch failed: too far");
  expect(cause).toMatchObject({
    name: "TypeError",
    stack: expect.stringContaining("breakDown"),
    cause: { name: "RangeError", message: "too far", code: "ERANGE" },
  });
});

it("the first of several causes is reported", async () => {
  const { fetch } = scriptedFetch(() => {
    throw new AggregateError([new Error("connect ECONNREFUSED ::1"), new Error("and another")], "");
  });
  const client = createClient({ baseUrl: "https://example.com", apiKey, retries: 0, fetch });
  expect((await failureOf(client.me())).message).toContain("example.com: connect ECONNREFUSED ::1. Check");
});

it.each([
  ["quoted up to its middle", `no key ${apiKey.slice(0, 20)}… here`],
  ["quoted in twelve characters", `no key ${apiKey.slice(0, 12)} here`],
  ["truncated and encoded", `no key ${encodeURIComponent(apiKey).slice(0, 22)} here`],
  ["quoted in part, followed by the complete key", `no key ${apiKey.slice(0, 13)}${apiKey} here`],
])("only the key is removed if it is %s", async (_, message) => {
  const { fetch } = scriptedFetch(() =>
    Response.json({ error: { code: "not_known", message } }, { status: 401 }),
  );
  const client = createClient({ baseUrl: "https://example.com", apiKey, retries: 0, fetch });
  const error = await failureOf(client.me());
  expect(error.message).toMatch(/^not_known: no key (\[API key\])+…? here$/);
});

it.each([
  ["repeats itself", "abababababababZ", "ababababababababZ", "ab[API key]"],
  ["has the signs of a pattern", "(a+b)*[c|d.e^f]$", "(a+b)*[c|d.e", "[API key]"],
  ["is short", "hwk_1", "hwk_1 hwk_", "[API key] hwk_"],
])("a key that %s is also removed", (_, key, text, redacted) => {
  expect(createRedact(key, "[API key]")(text)).toBe(redacted);
});

it("a cycle of causes is copied to a limited depth", async () => {
  const { fetch } = scriptedFetch(() => {
    const error = new Error("round");
    error.cause = error;
    throw error;
  });
  const client = createClient({ baseUrl: "https://example.com", apiKey, retries: 0, fetch });
  expect((await failureOf(client.me())).message).toContain("com: round: round: round: round: round. Check");
});

it("responses are returned unchanged", async () => {
  const { fetch } = scriptedFetch(success({ id: "acc_1", name: apiKey }));
  const client = createClient({ baseUrl: "https://example.com", apiKey, fetch });
  expect(await client.me()).toEqual({ id: "acc_1", name: apiKey });
});
