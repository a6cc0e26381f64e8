import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { call, codeOf, textOf } from "../support/call.ts";
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
      rights: ["read", "webhooks", "write"],
      project_id: null,
      expires_at: null,
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
});
