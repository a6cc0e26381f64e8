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
    ["a scheme and blanks", { authorization: "Bearer   " }],
    ["a scheme grown together with the token", { authorization: "Bearerhwk_1" }],
    ["an empty header", { authorization: "" }],
  ])("counts as missing with %s", async (_, headers) => {
    const api = await openApi();
    const answered = await call(api, "GET /v1/me", { token: undefined, headers });
    expect(answered.status).toBe(401);
    expect(codeOf(answered)).toBe("missing_api_key");
    expect(answered.headers.get("www-authenticate")).toBe("Bearer");
  });

  it.each(["hwk_unknown", "x", "two words", "hwk_ÿ", "y".repeat(10_000)])(
    "counts as invalid when the token is %.20s",
    async (token) => {
      const answered = await call(await openApi(), "GET /v1/me", { token });
      expect(answered.status).toBe(401);
      expect(codeOf(answered)).toBe("invalid_api_key");
      expect(answered.headers.get("www-authenticate")).toBe("Bearer");
    },
  );

  it.each(["bearer", "BEARER", "bEaReR"])("is taken with the scheme written %s", async (scheme) => {
    const api = await openApi();
    const headers = { authorization: `${scheme}  ${api.apiKey}` };
    expect((await call(api, "GET /v1/me", { token: undefined, headers })).status).toBe(200);
  });

  it("is refused once it is revoked", async () => {
    const api = await openApi();
    const { service } = api.options;
    const { rows } = await service.apiKeys.list("acc_1", { limit: 1 });
    await service.apiKeys.revoke(rows[0]?.id ?? "");
    expect(codeOf(await call(api, "GET /v1/me"))).toBe("invalid_api_key");
  });

  it("that is an expired console token says so", async () => {
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

describe("who sends no token is told which one is asked for", () => {
  it.each([
    ["GET /v1/me", "Send an API key in the header: Authorization: Bearer <API_KEY>."],
    ["POST /host/v1/events", "Send the host token in the header: Authorization: Bearer <HOST_TOKEN>."],
    ["GET /metrics", "Send the host token in the header: Authorization: Bearer <HOST_TOKEN>."],
    [
      "GET /console/api/keys",
      "Sign in with POST /console/api/session, and send its token in the header: Authorization: Bearer <CONSOLE_TOKEN>.",
    ],
  ])("%s", async (target, message) => {
    const api = await openApi({ metrics: { render: () => "" } });
    const { status, body } = await call(api, target, { token: undefined });
    expect([status, body.error]).toEqual([401, { code: "missing_api_key", message }]);
  });
});

describe("the host token", () => {
  const target = "PUT /host/v1/accounts/acc_2";

  it("opens the host API", async () => {
    expect((await call(await openApi(), target, { token: hostToken, json: accountInput })).status).toBe(201);
  });

  it.each(["wrong", `${hostToken}x`, hostToken.slice(0, -1), hostToken.toUpperCase()])(
    "is not %s",
    async (token) => {
      const answered = await call(await openApi(), target, { token, json: accountInput });
      expect([answered.status, codeOf(answered)]).toEqual([401, "invalid_api_key"]);
    },
  );

  it("is not an account's key", async () => {
    expect(codeOf(await call(await openApi(), target, { json: accountInput }))).toBe("invalid_api_key");
  });

  it("is missed when it is not there", async () => {
    const answered = await call(await openApi(), target, { token: undefined, json: accountInput });
    expect([answered.status, codeOf(answered)]).toEqual([401, "missing_api_key"]);
    expect(answered.headers.get("www-authenticate")).toBe("Bearer");
  });

  it("does not open /v1", async () => {
    expect(codeOf(await call(await openApi(), "GET /v1/me", { token: hostToken }))).toBe("invalid_api_key");
  });

  it.each(["PUT", "GET", "OPTIONS"])(
    "makes the host routes exist: without it %s answers 404",
    async (method) => {
      const api = await openApi({ hostToken: "" });
      const answered = await call(api, `${method} /host/v1/accounts/acc_2`, { token: "" });
      expect([answered.status, codeOf(answered)]).toEqual([404, "not_found"]);
    },
  );
});

const accountInput = { name: "Other", email: "other@example.com", timezone: "UTC" };
