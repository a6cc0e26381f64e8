import { describe, expect, it } from "vitest";
import { ClientError } from "../src/client-error.ts";
import { createClient } from "../src/create-client.ts";
import type { ClientOptions } from "../src/options.ts";

function problemOf(options: Partial<Record<keyof ClientOptions, unknown>>): string | undefined {
  try {
    // Past the compiler, as what comes from an environment or from JavaScript.
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
  ])("may not be %s, over which the key could be read", (baseUrl) => {
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
  ])("may not be %j", (baseUrl) => {
    expect(problemOf({ baseUrl })).toMatch(/^baseUrl: must /);
  });

  it("may hold no password, and the refusal does not repeat it", () => {
    expect(problemOf({ baseUrl: "https://ada:pa55word@example.com" })).toMatch(/^baseUrl: (?!.*pa55word)/);
  });
});

describe("other options", () => {
  it.each([undefined, null, "", 1, " hwk_1", "hwk_1\n", "Bearer hwk_1"])("apiKey may not be %j", (apiKey) => {
    expect(problemOf({ apiKey })).toMatch(/^apiKey: must be the key/);
  });

  it.each([
    ["timeoutMs", [0, -1, 1.5, Number.NaN, Infinity, 2 ** 31, "1000", null]],
    ["retries", [-1, 0.5, 101, "3"]],
    ["longestWaitMs", [-1, 2 ** 31, Number.NaN]],
    ["responseLimitBytes", [0, -1, Infinity]],
  ])("%s must be a whole number in its range", (option, values) => {
    for (const value of values)
      expect(problemOf({ [option]: value })).toMatch(new RegExp(`^${option}: must be a whole`));
  });

  it("have defaults", () => {
    expect(problemOf({ timeoutMs: undefined, retries: undefined, fetch: undefined })).toBeUndefined();
  });
});
