import { expect, it } from "vitest";
import { call } from "./support/call.ts";
import { openApi } from "./support/open-api.ts";

const origin = "https://app.example.com";
const corsOrigins = [origin];

it("an allowed origin may read responses, including errors", async () => {
  const api = await openApi({ corsOrigins });
  for (const target of ["GET /v1/me", "GET /v1/orders/none", "POST /v1/me"]) {
    const { headers } = await call(api, target, { headers: { origin } });
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect(headers.get("access-control-expose-headers")).toContain("X-Request-Id");
    expect(headers.get("vary")).toBe("Origin");
  }
});

it("a preflight needs no key", async () => {
  const api = await openApi({ corsOrigins });
  const headers = { origin, "access-control-request-method": "POST" };
  const answered = await call(api, "OPTIONS /v1/webhooks", { token: undefined, headers });
  expect(answered.status).toBe(204);
  expect(answered.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, OPTIONS");
  expect(answered.headers.get("access-control-allow-headers")).toBe("Authorization, Content-Type");
});

it.each(["https://evil.example", "https://app.example.com.evil.example", "null", `${origin}/`])(
  "%s gets no CORS headers",
  async (other) => {
    const api = await openApi({ corsOrigins });
    for (const target of ["GET /v1/me", "OPTIONS /v1/me"]) {
      const { headers } = await call(api, target, { headers: { origin: other } });
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers.get("vary")).toBe("Origin");
    }
  },
);

it("without allowed origins, and on the host API, no origin gets CORS headers", async () => {
  const { headers } = await call(await openApi(), "GET /v1/me", { headers: { origin } });
  expect([...headers.keys()].filter((name) => /vary|access-control/.test(name))).toEqual([]);
  const host = await call(await openApi({ corsOrigins }), "OPTIONS /host/v1/events", { headers: { origin } });
  expect(host.headers.has("access-control-allow-origin")).toBe(false);
});

it("any origin may read the OpenAPI document and the errors at its path", async () => {
  for (const api of [await openApi(), await openApi({ corsOrigins })]) {
    for (const target of [
      "GET /v1/openapi.json",
      "GET /v1/openapi.json?a=1&a=2",
      "HEAD /v1/openapi.json",
      "POST /v1/openapi.json",
      "OPTIONS /v1/openapi.json",
    ]) {
      const { headers } = await call(api, target, {
        token: undefined,
        headers: { origin: "https://docs.example" },
      });
      expect([target, headers.get("access-control-allow-origin")]).toEqual([target, "*"]);
    }
  }
});
