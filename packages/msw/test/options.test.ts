import { getResponse } from "msw";
import { describe, expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import { mockReceiver } from "../src/receiver/mock-receiver.ts";

describe("a base URL", () => {
  it.each([
    "",
    "api.example.com",
    "ftp://api.example.com",
    "https://user:pass@api.example.com",
    "https://user@api.example.com",
    "https://api.example.com?x=1",
    "https://api.example.com/?",
    "https://api.example.com/#x",
    "https://api.example.com/v1",
    "https://api.example.com/base/v1/",
  ])("%j is rejected", (baseUrl) => {
    expect(() => mockApi({ baseUrl })).toThrow(expect.objectContaining({ code: "invalid_url" }));
  });

  it.each([
    "https://api.example.com",
    "https://API.example.com:8443/base//",
    "http://[::1]:8123",
    "http://127.0.0.1:81/v10",
    "https://api.example.com/(x)/a:b*+",
    "https://api.example.com/ä b",
  ])("%j is matched by msw", async (baseUrl) => {
    const api = mockApi({ baseUrl });
    const headers = { authorization: `Bearer ${api.apiKey}` };
    const ask = (url: string) => getResponse([...api.handlers], new Request(url, { headers }));
    expect((await ask(`${api.baseUrl}/v1/me?x=1`))?.status).toBe(200);
    expect(await ask(`${api.baseUrl}/v2/me`)).toBeUndefined();
    expect(await ask(`http://other.example/${api.baseUrl}/v1/me`)).toBeUndefined();
  });

  it("is matched by a regular expression, which all major versions of msw support", () => {
    const { handlers } = mockApi({ baseUrl: "http://[::1]:81/(x)" });
    expect(handlers.map(({ info }) => info.path)).toEqual([/^http:\/\/\[::1\]:81\/\(x\)\/v1\//]);
    const receiver = mockReceiver({ url: "https://hooks.example.com/a:b" });
    expect(receiver.handlers.map(({ info }) => info.path)).toEqual([/^https:\/\/hooks\.example\.com\/a:b$/]);
  });
});

it("a receiver's URL must not have a user name", () => {
  expect(() => mockReceiver({ url: "https://user@hooks.example.com/" })).toThrow(
    expect.objectContaining({ code: "invalid_url" }),
  );
});

it.each(["", " ", " hwk_1", "hwk 1", "hwk_ä", "hwk\n"])("the API key %j is rejected", (apiKey) => {
  expect(() => mockApi({ baseUrl: "https://api.example.com", apiKey })).toThrow(
    expect.objectContaining({ code: "invalid_api_key" }),
  );
});
