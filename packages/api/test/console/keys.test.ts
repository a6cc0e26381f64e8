import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { call, codeOf, textOf } from "../support/call.ts";
import { hostToken } from "../support/open-api.ts";
import { openConsole } from "../support/open-console.ts";

useQuickScrypt();

describe("keys in the console", () => {
  it("are created, shown once, listed, used and revoked", async () => {
    const { api, token, advance } = await openConsole();
    const created = await call(api, "POST /console/api/keys", { token, json: { name: " My tool" } });
    expect(created.status).toBe(201);
    const apiKey = textOf(created, "api_key");
    const id = textOf(created, "id");
    expect(created.body.data).toEqual({
      id,
      name: " My tool",
      prefix: apiKey.slice(0, 8),
      integration: false,
      created_at: "2026-11-20T09:30:00Z",
      last_used_at: null,
      revoked_at: null,
      webhooks_count: 0,
      api_key: apiKey,
    });
    advance(60_000);
    expect((await call(api, "GET /v1/me", { token: apiKey })).status).toBe(200);
    const listed = await call(api, "GET /console/api/keys", { token });
    expect(listed.text).not.toContain(apiKey);
    expect(listed.body.data).toMatchObject([
      { id, last_used_at: "2026-11-20T09:31:00Z", revoked_at: null },
      { name: "Test key" },
    ]);
    const revoked = await call(api, `POST /console/api/keys/${id}/revoke`, { token });
    expect([revoked.status, revoked.body.data]).toEqual([200, { id, revoked: true }]);
    expect(codeOf(await call(api, "GET /v1/me", { token: apiKey }))).toBe("invalid_api_key");
    expect((await call(api, "GET /console/api/keys", { token })).body.data).toMatchObject([
      { id, revoked_at: "2026-11-20T09:31:00Z" },
      {},
    ]);
  });

  it("show when they were last used, even if the clock stepped back", async () => {
    const { api, token, advance } = await openConsole();
    const created = await call(api, "POST /console/api/keys", { token, json: { name: "My tool" } });
    const apiKey = textOf(created, "api_key");
    await call(api, "GET /v1/me", { token: apiKey });
    advance(-3_600_000);
    await call(api, "GET /v1/me", { token: apiKey });
    expect((await call(api, "GET /console/api/keys", { token })).body.data).toMatchObject([
      { last_used_at: "2026-11-20T08:30:00Z" },
      {},
    ]);
  });

  it("of another account cannot be revoked", async () => {
    const { api, token } = await openConsole();
    const { service } = api.options;
    await service.accounts.put("acc_2", { email: "second@example.com" });
    const { id } = await service.apiKeys.create("acc_2", { name: "Theirs" });
    const answered = await call(api, `POST /console/api/keys/${id}/revoke`, { token });
    expect([answered.status, codeOf(answered)]).toEqual([404, "resource_not_found"]);
  });

  it("cannot be created or revoked on a demo account", async () => {
    const { api, token } = await openConsole();
    await api.options.service.accounts.put("acc_1", { demo: true });
    expect((await call(api, "GET /console/api/keys", { token })).status).toBe(200);
    for (const target of ["POST /console/api/keys", "POST /console/api/keys/key_1/revoke"]) {
      const answered = await call(api, target, { token, json: { name: "x" } });
      expect([answered.status, codeOf(answered)]).toEqual([403, "read_only_demo"]);
    }
  });

  it("are limited to 100 per account, for the console and for the host", async () => {
    const { api, token } = await openConsole();
    for (let number = 1; number < 100; number++) {
      await api.options.service.apiKeys.create("acc_1", { name: `Key ${number}` });
    }
    for (const [target, by] of [
      ["POST /console/api/keys", token],
      ["POST /host/v1/accounts/acc_1/api-keys", hostToken],
    ] as const) {
      const answered = await call(api, target, { token: by, json: { name: "One more" } });
      expect([answered.status, codeOf(answered)]).toEqual([409, "invalid_state"]);
    }
  });

  it("need a name", async () => {
    const { api, token } = await openConsole();
    const answered = await call(api, "POST /console/api/keys", { token, json: { name: " " } });
    expect(answered.body.error).toEqual({ code: "validation_failed", message: "name: is required" });
  });
});
