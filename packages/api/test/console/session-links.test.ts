import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { developerRoutes, publicApiRoutes } from "../../src/routes/select-routes.ts";
import { call, codeOf, textOf } from "../support/call.ts";
import type { Answered } from "../support/call.ts";
import { openConsole } from "../support/open-console.ts";
import type { TestConsole } from "../support/open-console.ts";

useQuickScrypt();

const hostToken = "the host's token";

async function openHost() {
  const opened: TestConsole = await openConsole({ hostToken });
  const { api } = opened;
  const create = (json?: unknown, account = "acc_1"): Promise<Answered> =>
    call(api, `POST /host/v1/accounts/${account}/console-sessions`, { token: hostToken, json });
  const exchange = (code: unknown): Promise<Answered> =>
    call(api, "POST /console/api/session/link", { token: undefined, json: { code } });
  const open = async (json?: unknown): Promise<Answered> => exchange(codeIn(await create(json)));
  const endAll = (account = "acc_1"): Promise<Answered> =>
    call(api, `DELETE /host/v1/accounts/${account}/console-sessions`, { token: hostToken });
  return { ...opened, create, exchange, open, endAll };
}

type Host = Awaited<ReturnType<typeof openHost>>;

const codeIn = (created: Answered): string =>
  /^\/console#\/link\/(hwl_[\w-]{43})$/u.exec(textOf(created, "url"))?.[1] ?? "none";

describe("a link to the console", () => {
  it("opens a session once, which can do everything", async () => {
    const { api, create, exchange } = await openHost();
    const created = await create();
    expect(created.status).toBe(201);
    expect(created.body.data).toEqual({
      url: expect.stringMatching(/^\/console#\/link\/hwl_[\w-]{43}$/u),
      expires_at: "2026-11-20T09:35:00Z",
    });
    const opened = await exchange(codeIn(created));
    expect([opened.status, opened.body.data]).toMatchObject([
      200,
      { expires_at: "2026-11-20T10:30:00Z", account: { id: "acc_1" }, read_only: false },
    ]);
    expect(opened.body.data).not.toHaveProperty("account.status");
    const token = textOf(opened, "token");
    const key = await call(api, "POST /console/api/keys", { token, json: { name: "k" } });
    expect(key.status).toBe(201);
    expect((await call(api, "DELETE /console/api/session", { token })).status).toBe(200);
    const again = await exchange(codeIn(created));
    expect([again.status, again.body.error]).toEqual([
      401,
      {
        code: "invalid_credentials",
        message:
          "The link was already used or has expired. Open the console again from the page that had the link.",
      },
    ]);
  });

  it.each([
    [{ ttl_seconds: 29 }, "ttl_seconds: must be at least 30"],
    [{ ttl_seconds: 3_601 }, "ttl_seconds: must be at most 3600"],
    [{ ttl_seconds: 60.5 }, "ttl_seconds: must be an integer"],
    [{ read_only: "yes" }, "read_only: must be true or false"],
    [{ path: "webhooks" }, "path: must be a page of the console, such as /webhooks/wh_1"],
    [{ path: "/operator" }, "path: must be a page of the console, such as /webhooks/wh_1"],
    [{ path: "/link/hwl_x" }, "path: must be a page of the console, such as /webhooks/wh_1"],
    [{ reason: "x".repeat(501) }, "reason: must be at most 500 characters long"],
  ])("with %j is refused", async (json, message) => {
    const { create } = await openHost();
    expect((await create(json)).body.error).toEqual({ code: "validation_failed", message });
  });

  it.each([
    [
      "the password changes",
      ({ api }: Host) => api.options.service.accounts.put("acc_1", { password: "new" }),
    ],
    [
      "the owner ends all sessions",
      ({ api, token }: Host) => call(api, "DELETE /console/api/sessions", { token }),
    ],
    ["the host ends all sessions", ({ endAll }: Host) => endAll()],
  ])("becomes invalid when %s", async (_, change) => {
    const host = await openHost();
    const code = codeIn(await host.create());
    await change(host);
    expect(codeOf(await host.exchange(code))).toBe("invalid_credentials");
    expect((await host.open()).status).toBe(200);
  });

  it("leads to a page, with a reason that the activity of the account has", async () => {
    const { api, open } = await openHost();
    const reason = "Ticket 4711: \u00e4";
    const path = "/deliveries/dlv_1?tab=body";
    const opened = await open({ path, reason });
    expect(opened.body.data).toMatchObject({ read_only: false, path, reason });
    expect((await open()).body.data).toMatchObject({ path: null, reason: null });
    const token = textOf(opened, "token");
    const audit = await call(api, "GET /console/api/audit?action=console_link.created", { token });
    expect(audit.body.data).toMatchObject([
      { changed: ["read_only"], changes: [{ field: "read_only", old: null, new: "false" }] },
      {
        actor: { kind: "host" },
        changed: ["read_only", "path", "reason"],
        changes: [
          { field: "read_only", old: null, new: "false" },
          { field: "path", old: null, new: path },
          { field: "reason", old: null, new: reason },
        ],
      },
    ]);
  });

  it("needs an account that exists, and the host token", async () => {
    const { api, token, create } = await openHost();
    expect(codeOf(await create({}, "acc_unknown"))).toBe("resource_not_found");
    const path = "POST /host/v1/accounts/acc_1/console-sessions";
    expect(codeOf(await call(api, path, { token, json: {} }))).toBe("invalid_api_key");
  });

  it.each(["", "hwl_unknown", 5, null])("with the code %j is refused", async (code) => {
    const { exchange } = await openHost();
    const expected = code === "hwl_unknown" ? "invalid_credentials" : "validation_failed";
    expect(codeOf(await exchange(code))).toBe(expected);
  });

  it("is refused for a network with 30 failures in a minute, like a sign-in", async () => {
    const { api, create } = await openHost();
    const { sessions } = api.options.service;
    const url = textOf(await create(), "url");
    const code = url.slice(url.lastIndexOf("/") + 1);
    const client = { clientAddress: "203.0.113.7", isForwarded: true };
    const failed = Array.from({ length: 30 }, () =>
      expect(sessions.exchangeLink({ code: "hwl_unknown" }, client)).rejects.toMatchObject({
        code: "invalid_credentials",
      }),
    );
    await Promise.all(failed);
    await expect(sessions.exchangeLink({ code }, client)).rejects.toMatchObject({ code: "rate_limited" });
    // The link was not used up, and other networks are not affected.
    const other = { clientAddress: "203.0.113.8", isForwarded: true };
    await expect(sessions.exchangeLink({ code }, other)).resolves.toMatchObject({ read_only: false });
  });
});

describe("the session of a link", () => {
  it("with read_only reads everything, changes nothing, and can sign out", async () => {
    const { api, open } = await openHost();
    const opened = await open({ read_only: true });
    expect(opened.body.data).toMatchObject({ read_only: true });
    const token = textOf(opened, "token");
    for (const target of ["GET /v1/me", "GET /console/api/webhooks", "GET /console/api/deliveries"])
      expect([target, (await call(api, target, { token })).status]).toEqual([target, 200]);
    const changing = [...publicApiRoutes, ...developerRoutes].filter(
      ({ method, access, always, path }) =>
        // A comparison only reads. It sends what is too long for a URL.
        method !== "GET" && access !== "public" && always !== true && !path.endsWith("/compare"),
    );
    expect(changing.length).toBeGreaterThan(20);
    for (const { method, path } of changing) {
      const target = `${method} ${path.replaceAll(/\{\w+\}/gu, "x")}`;
      const answered = await call(api, target, { token, json: {} });
      expect([target, answered.status, answered.body.error]).toEqual([
        target,
        403,
        {
          code: "read_only_demo",
          message: "This console session is read-only: it cannot change anything.",
        },
      ]);
    }
    expect((await call(api, "DELETE /console/api/session", { token })).status).toBe(200);
    expect(codeOf(await call(api, "GET /v1/me", { token }))).toBe("invalid_api_key");
  });

  it("works for an account without a password, and ends when the password changes", async () => {
    const { api, create, exchange } = await openHost();
    const { accounts } = api.options.service;
    await accounts.put("acc_2", { email: "second@example.com" });
    const token = textOf(await exchange(codeIn(await create({}, "acc_2"))), "token");
    expect((await call(api, "GET /v1/me", { token })).body.data).toMatchObject({ id: "acc_2" });
    await accounts.put("acc_2", { password: "the first password" });
    expect(codeOf(await call(api, "GET /v1/me", { token }))).toBe("invalid_api_key");
  });
});

describe("ending all sessions", () => {
  it.each(["acc_1", "acc_2"])("ends those of %s, which has a password or not, and no other", async (id) => {
    const { api, token, create, exchange, endAll } = await openHost();
    await api.options.service.accounts.put("acc_2", { email: "second@example.com" });
    const others = {
      acc_1: token,
      acc_2: textOf(await exchange(codeIn(await create({}, "acc_2"))), "token"),
    };
    const linked = textOf(await exchange(codeIn(await create({}, id))), "token");
    const answered = await endAll(id);
    expect([answered.status, answered.body.data]).toEqual([200, { id, signed_out: true }]);
    const answers = { acc_1: "invalid_api_key", acc_2: undefined };
    if (id === "acc_2") Object.assign(answers, { acc_1: undefined, acc_2: "invalid_api_key" });
    expect({
      acc_1: codeOf(await call(api, "GET /v1/me", { token: others.acc_1 })),
      acc_2: codeOf(await call(api, "GET /v1/me", { token: others.acc_2 })),
    }).toEqual(answers);
    expect(codeOf(await call(api, "GET /v1/me", { token: linked }))).toBe("invalid_api_key");
    const again = textOf(await exchange(codeIn(await create({}, id))), "token");
    expect((await call(api, "GET /v1/me", { token: again })).status).toBe(200);
  });

  it("by the owner ends the own session too, and is in the audit log", async () => {
    const { api, token, open, endAll } = await openHost();
    const answered = await call(api, "DELETE /console/api/sessions", { token });
    expect([answered.status, answered.body.data]).toEqual([200, { id: "acc_1", signed_out: true }]);
    expect(codeOf(await call(api, "GET /v1/me", { token }))).toBe("invalid_api_key");
    await endAll();
    const linked = textOf(await open(), "token");
    const audit = await call(api, "GET /console/api/audit?action=console_sessions.ended", { token: linked });
    expect(audit.body.data).toMatchObject([
      { actor: { kind: "host" }, target: { kind: "account", id: "acc_1" } },
      { actor: { kind: "owner" }, target: { kind: "account", id: "acc_1" } },
    ]);
  });

  it("needs an account that exists", async () => {
    const { endAll } = await openHost();
    expect(codeOf(await endAll("acc_unknown"))).toBe("resource_not_found");
  });
});
