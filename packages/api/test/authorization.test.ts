import { HookwrightError } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { call, codeOf } from "./support/call.ts";
import { hostToken, openApi } from "./support/open-api.ts";
import { openService } from "./support/open-service.ts";

describe("an account's key", () => {
  it.each([
    ["no header", {}],
    ["another scheme", { authorization: "Basic aHdrOg==" }],
    ["a scheme alone", { authorization: "Bearer" }],
    ["a scheme and spaces", { authorization: "Bearer   " }],
    ["a scheme and a token without a space", { authorization: "Bearerhwk_1" }],
    ["an empty header", { authorization: "" }],
  ])("a request with %s gets missing_api_key", async (_, headers) => {
    const api = await openApi();
    const answered = await call(api, "GET /v1/me", { token: undefined, headers });
    expect(answered.status).toBe(401);
    expect(codeOf(answered)).toBe("missing_api_key");
    expect(answered.headers.get("www-authenticate")).toBe("Bearer");
  });

  it.each(["hwk_unknown", "x", "two words", "hwk_ÿ", "y".repeat(10_000)])(
    "a request with the token %.20s gets invalid_api_key",
    async (token) => {
      const answered = await call(await openApi(), "GET /v1/me", { token });
      expect(answered.status).toBe(401);
      expect(codeOf(answered)).toBe("invalid_api_key");
      expect(answered.headers.get("www-authenticate")).toBe("Bearer");
    },
  );

  it.each(["bearer", "BEARER", "bEaReR"])("the scheme %s is accepted", async (scheme) => {
    const api = await openApi();
    const headers = { authorization: `${scheme}  ${api.apiKey}` };
    expect((await call(api, "GET /v1/me", { token: undefined, headers })).status).toBe(200);
  });

  it("a revoked key gets 401", async () => {
    const api = await openApi();
    const { service } = api.options;
    const { rows } = await service.apiKeys.list("acc_1", { limit: 1 });
    await service.apiKeys.revoke(rows[0]?.id ?? "");
    expect(codeOf(await call(api, "GET /v1/me"))).toBe("invalid_api_key");
  });

  it("an expired console token gets console_token_expired", async () => {
    const service = {
      ...openService(),
      authenticate: async () => {
        throw new HookwrightError("console_token_expired", "Sign in again.");
      },
    };
    const answered = await call(await openApi({ service }), "GET /v1/me", { token: "hwc_old" });
    expect([answered.status, codeOf(answered)]).toEqual([401, "console_token_expired"]);
    expect(answered.headers.get("www-authenticate")).toBe("Bearer");
  });
});

describe("a request without a token gets an error that names the required token", () => {
  it.each([
    ["GET /v1/me", "Send an API key in the header: Authorization: Bearer <API_KEY>."],
    ["POST /host/v1/events", "Send the host token in the header: Authorization: Bearer <HOST_TOKEN>."],
    ["GET /metrics", "Send the host token in the header: Authorization: Bearer <HOST_TOKEN>."],
    [
      "GET /console/api/keys",
      "Sign in with POST /console/api/session, and send the token in the header: Authorization: Bearer <CONSOLE_TOKEN>.",
    ],
  ])("%s", async (target, message) => {
    const api = await openApi({ metrics: { render: () => "" } });
    const { status, body } = await call(api, target, { token: undefined });
    expect([status, body.error]).toEqual([401, { code: "missing_api_key", message }]);
  });
});

describe("the host token", () => {
  const target = "PUT /host/v1/accounts/acc_2";

  it("allows requests to the host API", async () => {
    expect((await call(await openApi(), target, { token: hostToken, json: accountInput })).status).toBe(201);
  });

  it.each(["wrong", `${hostToken}x`, hostToken.slice(0, -1), hostToken.toUpperCase()])(
    "%s is refused",
    async (token) => {
      const answered = await call(await openApi(), target, { token, json: accountInput });
      expect([answered.status, codeOf(answered)]).toEqual([401, "invalid_api_key"]);
    },
  );

  it("an account's key is refused", async () => {
    expect(codeOf(await call(await openApi(), target, { json: accountInput }))).toBe("invalid_api_key");
  });

  it("a missing host token gets 401", async () => {
    const answered = await call(await openApi(), target, { token: undefined, json: accountInput });
    expect([answered.status, codeOf(answered)]).toEqual([401, "missing_api_key"]);
    expect(answered.headers.get("www-authenticate")).toBe("Bearer");
  });

  it("does not allow requests to /v1", async () => {
    expect(codeOf(await call(await openApi(), "GET /v1/me", { token: hostToken }))).toBe("invalid_api_key");
  });

  it.each(["PUT", "GET", "OPTIONS"])("without a host token in the options, %s gets 404", async (method) => {
    const api = await openApi({ hostToken: "" });
    const answered = await call(api, `${method} /host/v1/accounts/acc_2`, { token: "" });
    expect([answered.status, codeOf(answered)]).toEqual([404, "not_found"]);
  });
});

const accountInput = { name: "Other", email: "other@example.com", timezone: "UTC" };
