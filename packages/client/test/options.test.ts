import { describe, expect, it, vi } from "vitest";
import { ClientError } from "../src/client-error.ts";
import { createClient } from "../src/create-client.ts";
import type { Client } from "../src/resources.ts";
import type { ClientOptions } from "../src/options.ts";
import { failureOf } from "./support/failure-of.ts";
import { scriptedFetch, success } from "./support/scripted-fetch.ts";

function problemOf(options: Partial<Record<keyof ClientOptions, unknown>>): string | undefined {
  try {
    // Bypasses the types, like values from the environment or JavaScript.
    Reflect.apply(createClient, undefined, [{ baseUrl: "https://example.com", apiKey: "hwk_1", ...options }]);
    return undefined;
  } catch (error) {
    if (error instanceof ClientError && error.code === "invalid_option") return error.message;
    throw error;
  }
}

describe("baseUrl", () => {
  it.each([
    "https://example.com",
    "https://example.com/integrations/",
    "https://example.com//",
    "http://localhost:3000",
    "http://api.localhost",
    "http://127.0.0.1:3000",
    "http://2130706433",
    "http://[::1]:3000/integrations",
  ])("may be %s", (baseUrl) => {
    expect(problemOf({ baseUrl })).toBeUndefined();
  });

  it.each([
    "http://example.com",
    "http://192.168.0.1",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://notlocalhost",
    "http://[::2]",
  ])("must not be %s, which would expose the key", (baseUrl) => {
    expect(problemOf({ baseUrl })).toMatch(/^baseUrl: .*allowHttp/);
    expect(problemOf({ baseUrl, allowHttp: true })).toBeUndefined();
  });

  it.each([
    undefined,
    "",
    "example.com",
    "/v1",
    "ftp://example.com",
    "https://example.com/?",
    "https://example.com/#x",
    "https://example.com?a=1",
  ])("must not be %j", (baseUrl) => {
    expect(problemOf({ baseUrl })).toMatch(/^baseUrl: must /);
  });

  it.each(["https://example.com/", "https://example.com//"])(
    "loses all trailing slashes: %s",
    async (baseUrl) => {
      const { fetch, requests } = scriptedFetch(success({}));
      await createClient({ baseUrl, apiKey: "hwk_1", fetch }).me();
      expect(requests).toEqual(["GET https://example.com/v1/me"]);
    },
  );

  it.each(["ada:pa55word", ":pa55word", "pa55word"])(
    "must not contain credentials, and the error does not quote them: %s",
    (credentials) => {
      const problem = problemOf({ baseUrl: `https://${credentials}@example.com` });
      expect(problem).toMatch(/^baseUrl: must not contain a user name or a password(?!.*pa55word)/);
    },
  );
});

describe("other options", () => {
  it.each([undefined, null, "", 1, " hwk_1", "hwk_1\n", "Bearer hwk_1"])(
    "apiKey must not be %j",
    (apiKey) => {
      expect(problemOf({ apiKey })).toMatch(/^apiKey: must be (?:only )?the key/);
    },
  );

  it.each([
    ["timeoutMs", [0, -1, 1.5, Number.NaN, Infinity, 300_001, "1000", null]],
    ["retries", [-1, 0.5, 101, "3"]],
    ["longestWaitMs", [-1, 2_147_483_001, Number.NaN]],
    ["responseLimitBytes", [0, -1, Infinity]],
  ])("%s must be a whole number in its range", (option, values) => {
    for (const value of values)
      expect(problemOf({ [option]: value })).toMatch(new RegExp(`^${option}: must be a whole`));
  });

  it("calls fetch without an object, as browsers demand of theirs", async () => {
    const fetch = vi.fn(async () => Response.json({ success: true, data: {} }));
    await createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch }).me();
    expect(fetch.mock.contexts).toEqual([undefined]);
  });

  it.each(["fetch", "onRetry", "random", "sleep", "now"])("%s must be a function", (option) => {
    for (const value of [null, "x", {}, 1])
      expect(problemOf({ [option]: value })).toBe(`${option}: must be a function or omitted.`);
  });

  it.each([undefined, null, "https://example.com"])("must not be %j", (options) => {
    const create = (): unknown => Reflect.apply(createClient, undefined, [options]);
    expect(create).toThrow(expect.objectContaining({ name: "ClientError", code: "invalid_option" }));
  });

  it.each([undefined, null, "text", {}, { status: 200 }])(
    "fetch must return a Response, not %j",
    async (answer) => {
      const options = { baseUrl: "https://example.com", apiKey: "hwk_1", fetch: async () => answer };
      const client: Client = Reflect.apply(createClient, undefined, [options]);
      expect(await failureOf(client.webhooks.delete("wh_1"))).toMatchObject({
        code: "invalid_option",
        message: expect.stringContaining("fetch must return a Response."),
        outcomeUnknown: true,
      });
    },
  );

  it("may have their maximum values", () => {
    expect(problemOf({ timeoutMs: 300_000, retries: 100, longestWaitMs: 2_147_483_000 })).toBeUndefined();
  });

  it("have defaults", () => {
    expect(problemOf({ timeoutMs: undefined, retries: undefined, fetch: undefined })).toBeUndefined();
  });
});
