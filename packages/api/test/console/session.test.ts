import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { call, codeOf, textOf } from "../support/call.ts";
import type { Answered } from "../support/call.ts";
import type { TestApi } from "../support/open-api.ts";
import { openConsole, password } from "../support/open-console.ts";

useQuickScrypt();

const email = "owner@example.com";

function signIn(api: TestApi, json: unknown): Promise<Answered> {
  return call(api, "POST /console/api/session", { token: undefined, json });
}

describe("signing in", () => {
  it("returns a token that works in the console and under /v1", async () => {
    const { api } = await openConsole();
    const answered = await signIn(api, { email: " Owner@Example.com ", password });
    expect(answered.status).toBe(200);
    expect(answered.body.data).toMatchObject({
      expires_at: "2026-11-20T10:30:00Z",
      account: { id: "acc_1", email, demo: false, plan: { integrations: true } },
    });
    expect(answered.body.data).not.toHaveProperty("account.status");
    const token = textOf(answered, "token");
    expect(token).toMatch(/^hwc_[\w-]{43}$/);
    expect((await call(api, "GET /v1/me", { token })).status).toBe(200);
    expect((await call(api, "GET /console/api/keys", { token })).status).toBe(200);
  });

  it.each([
    { email, password: "wrong" },
    { email: "nobody@example.com", password },
    { email: "nobody@example.com", password: "nobody's" },
  ])("with %j gets the same message as with any wrong credentials", async (json) => {
    const { api } = await openConsole();
    const answered = await signIn(api, json);
    expect(answered.status).toBe(401);
    expect(answered.body.error).toEqual({
      code: "invalid_credentials",
      message: "The e-mail address or the password is wrong.",
    });
  });

  it.each([
    {},
    { email },
    { email, password: "" },
    { email: "x", password },
    { email: [email], password: 1 },
  ])("with %j names the missing or invalid field", async (json) => {
    const { api } = await openConsole();
    const answered = await signIn(api, json);
    expect([answered.status, codeOf(answered)]).toEqual([422, "validation_failed"]);
  });

  it("is refused after five failures a minute, even with the right password and with concurrent requests", async () => {
    const { api, advance } = await openConsole();
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => signIn(api, { email, password: "wrong" })),
    );
    expect(tries.map(codeOf).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => "invalid_credentials"),
      ...Array.from({ length: 7 }, () => "rate_limited"),
    ]);
    const refused = await signIn(api, { email, password });
    expect([refused.status, codeOf(refused)]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    // Another address is not affected.
    expect(codeOf(await signIn(api, { email: "other@example.com", password }))).toBe("invalid_credentials");
    advance(60_000);
    expect((await signIn(api, { email, password })).status).toBe(200);
  });

  it("with the right password is never throttled, even with many concurrent requests", async () => {
    const { api } = await openConsole();
    const tries = await Promise.all(Array.from({ length: 12 }, () => signIn(api, { email, password })));
    expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 200));
  });

  it("succeeds with the right password among wrong ones, and the wrong ones are counted", async () => {
    const { api } = await openConsole();
    const wrong = () => signIn(api, { email, password: "wrong" });
    for (let before = 0; before < 3; before++) await wrong();
    const [right, ...others] = await Promise.all([signIn(api, { email, password }), wrong(), wrong()]);
    expect(right?.status).toBe(200);
    expect(others.map(codeOf)).toEqual(["invalid_credentials", "invalid_credentials"]);
  });

  it("still counts failures after a success", async () => {
    const { api } = await openConsole();
    for (let failure = 0; failure < 4; failure++) await signIn(api, { email, password: "wrong" });
    for (let success = 0; success < 3; success++)
      expect((await signIn(api, { email, password })).status).toBe(200);
    expect(codeOf(await signIn(api, { email, password: "wrong" }))).toBe("invalid_credentials");
    expect(codeOf(await signIn(api, { email, password }))).toBe("rate_limited");
  });

  it("chooses by the password if several accounts share an address, and then the lowest id", async () => {
    const { api } = await openConsole();
    const { service } = api.options;
    const shared = { email: "shared@example.com", password: "p" };
    for (const id of ["acc_b", "acc_c", "acc_a"]) await service.accounts.put(id, shared);
    expect((await signIn(api, shared)).body.data).toMatchObject({ account: { id: "acc_a" } });
    await service.accounts.put("acc_d", { ...shared, password: "q" });
    expect((await signIn(api, { ...shared, password: "q" })).body.data).toMatchObject({
      account: { id: "acc_d" },
    });
  });
});

describe("a console token", () => {
  it("gets console_token_expired on every route after it expires", async () => {
    const { api, token, advance } = await openConsole();
    advance(3_600_000 - 1);
    expect((await call(api, "GET /console/api/keys", { token })).status).toBe(200);
    advance(1);
    for (const target of ["GET /console/api/keys", "GET /v1/me", "DELETE /console/api/session"]) {
      const answered = await call(api, target, { token });
      expect([answered.status, codeOf(answered)]).toEqual([401, "console_token_expired"]);
      expect(answered.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  it("is unknown after signing out", async () => {
    const { api, token } = await openConsole();
    expect((await call(api, "DELETE /console/api/session", { token })).status).toBe(200);
    for (const target of ["GET /console/api/keys", "GET /v1/me", "DELETE /console/api/session"]) {
      expect(codeOf(await call(api, target, { token }))).toBe("invalid_api_key");
    }
  });

  it("is invalid after the password changes", async () => {
    const { api, token } = await openConsole();
    await api.options.service.accounts.put("acc_1", { password: "a new password" });
    expect(codeOf(await call(api, "GET /console/api/keys", { token }))).toBe("invalid_api_key");
  });

  it.each([undefined, "hwc_unknown", "hwk_unknown"])("is required: %s gets 401", async (token) => {
    const { api } = await openConsole();
    const answered = await call(api, "GET /console/api/keys", { token });
    expect([answered.status, codeOf(answered)]).toEqual([
      401,
      token === undefined ? "missing_api_key" : "invalid_api_key",
    ]);
  });

  it("cannot be replaced by an API key in the console", async () => {
    const { api } = await openConsole();
    expect(codeOf(await call(api, "GET /console/api/keys"))).toBe("invalid_api_key");
  });

  it("of a suspended account can only sign out", async () => {
    const { api, token } = await openConsole();
    await api.options.service.accounts.put("acc_1", { status: "suspended" });
    expect(codeOf(await call(api, "GET /console/api/keys", { token }))).toBe("account_unavailable");
    expect((await call(api, "DELETE /console/api/session", { token })).status).toBe(200);
  });

  it("counts toward the rate limit under /v1 only", async () => {
    const taken: string[] = [];
    const { api, token } = await openConsole({
      rateLimiters: {
        requests: {
          take: async (accountId) => {
            taken.push(accountId);
            return { allowed: true, limit: 200, remaining: 1, resetSeconds: 1, retryAfterSeconds: 0 };
          },
        },
      },
    });
    await call(api, "GET /console/api/keys", { token });
    expect(taken).toEqual([]);
    await call(api, "GET /v1/me", { token });
    expect(taken).toEqual(["acc_1"]);
  });
});
