import { describe, expect, it } from "vitest";
import { hostApiRoutes } from "../src/routes/select-routes.ts";
import { call, codeOf } from "./support/call.ts";
import { hostToken, openApi } from "./support/open-api.ts";

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
});

describe("a request without a token gets an error that names the required token", () => {
  it.each([
    ["GET /v1/me", "Send an API key in the header: Authorization: Bearer <API_KEY>."],
    ["POST /host/v1/events", "Send the host token in the header: Authorization: Bearer <HOST_TOKEN>."],
    [
      "GET /metrics",
      "Send the metrics token or a host token in the header: Authorization: Bearer <METRICS_TOKEN>.",
    ],
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

describe("host tokens with scopes", () => {
  const tokens = "shop:publish:shop-token,desk:manage+read:desk-token,old-token";
  const targets = [
    ["POST /host/v1/events", "publish"],
    ["DELETE /host/v1/accounts/acc_1/records/orders/ord_1", "publish"],
    ["PUT /host/v1/projects/site_1/subscribers/ada@example.com", "publish"],
    ["PUT /host/v1/accounts/acc_1", "manage"],
    ["PUT /host/v1/projects/site_1", "manage"],
    ["POST /host/v1/accounts/acc_1/api-keys", "manage"],
    ["DELETE /host/v1/accounts/acc_1/console-sessions", "manage"],
    ["POST /host/v1/api-keys/key_1/revoke", "manage"],
    ["PUT /host/v1/email-lists/list_1", "manage"],
    ["PUT /host/v1/suppressions/ada@example.com", "manage"],
    ["DELETE /host/v1/suppressions/ada@example.com", "manage"],
    ["POST /host/v1/webhooks/wh_1/recoveries", "manage"],
    ["POST /host/v1/accounts/acc_1/resends", "manage"],
    ["POST /host/v1/accounts/acc_1/resends/rcv_1/stop", "manage"],
    ["POST /host/v1/accounts/acc_1/erasures", "manage"],
    ["DELETE /host/v1/accounts/acc_1/contacts/ct_1", "manage"],
  ] as const;

  it.each(targets)("%s needs the scope %s", async (target, scope) => {
    const api = await openApi({ hostToken: tokens });
    const [allowed, refused] = scope === "publish" ? ["shop", "desk"] : ["desk", "shop"];
    const answered = await call(api, target, { token: `${refused}-token`, json: {} });
    expect([answered.status, answered.body.error]).toEqual([
      403,
      {
        code: "forbidden",
        message: `The host token "${refused}" does not have the scope "${scope}", which this route needs.`,
      },
    ]);
    for (const token of [`${allowed}-token`, "old-token"])
      expect(codeOf(await call(api, target, { token, json: {} }))).not.toBe("forbidden");
  });

  it("every route of the host API has a scope, and reading needs read", () => {
    for (const { method, scope } of hostApiRoutes)
      expect(method === "GET" ? ["read"] : ["publish", "manage"]).toContain(scope);
  });

  it("without read, a PUT shows nothing that it did not send", async () => {
    const api = await openApi({ hostToken: "all-token,desk:manage+publish:desk-token" });
    const all = { token: "all-token" };
    const account = { ...accountInput, limits: { webhooks: 5 }, plan: { name: "gold" } };
    await call(api, "PUT /host/v1/accounts/acc_2", { ...all, json: account });
    await call(api, "PUT /host/v1/projects/site_2", { ...all, json: { account_id: "acc_2", name: "Shop" } });
    await call(api, "PUT /host/v1/email-lists/lst_2", {
      ...all,
      json: { project_id: "site_2", name: "News" },
    });
    const person = "PUT /host/v1/projects/site_2/subscribers/ada@example.com";
    await call(api, person, { ...all, json: { name: "Ada", tags: ["vip"] } });
    await call(api, "PUT /host/v1/suppressions/ada@example.com", { ...all, json: { reason: "bounced" } });
    const url = "https://example.com/notices";
    await call(api, "PUT /host/v1/notice-endpoint", { ...all, json: { url } });

    const values: Readonly<Record<string, string>> = { "{email}": "ada@example.com" };
    const targets = hostApiRoutes
      .filter(({ method }) => method === "PUT" || method === "PATCH")
      // It replaces the whole declaration, so a body without all fields is refused.
      .filter(({ path }) => path !== "/host/v1/event-types/{name}")
      .map(({ method, path }) => {
        const id = /accounts/u.test(path) ? "acc_2" : /lists/u.test(path) ? "lst_2" : "site_2";
        return `${method} ${path.replaceAll(/\{\w+\}/gu, (name) => values[name] ?? id)}`;
      });
    expect(targets.length).toBeGreaterThan(4);
    // Fields that are sent empty count as left out, and unknown fields are ignored.
    const nothing = { email: null, name: " ", plan: { name: "" }, tags: [], account_id: "", created_at: "x" };
    for (const json of [{}, nothing])
      for (const target of targets) {
        const { status, body } = await call(api, target, { token: "desk-token", json });
        const named = /@/u.test(target)
          ? { email: "ada@example.com" }
          : /notice/u.test(target)
            ? {}
            : { id: target.split("/").at(-1) };
        const plan = json === nothing && /accounts/u.test(target) ? { plan: {} } : {};
        expect([target, status, body.data]).toEqual([target, 200, { ...named, ...plan }]);
      }

    const put = async (target: string, json: object) =>
      (await call(api, target, { token: "desk-token", json })).body.data;
    expect(
      await put("PUT /host/v1/accounts/acc_2", { email: "New@example.com", limits: { webhooks: 7 } }),
    ).toEqual({ id: "acc_2", email: "new@example.com", limits: { webhooks: 7 } });
    expect(await put(person, { tags: ["new"] })).toEqual({ email: "ada@example.com", tags: ["new"] });
    // A new object has nothing that somebody else wrote.
    expect(await put("PUT /host/v1/accounts/acc_3", accountInput)).toMatchObject({ status: "active" });
    expect((await call(api, "PUT /host/v1/accounts/acc_2", { ...all, json: {} })).body.data).toMatchObject({
      name: "Other",
      limits: { webhooks: 7 },
      plan: { name: "gold" },
    });
  });

  it("may be a list of objects", async () => {
    const api = await openApi({ hostToken: [{ name: "shop", scopes: ["publish"], token: "a token" }] });
    const target = "PUT /host/v1/accounts/acc_2";
    expect(codeOf(await call(api, target, { token: "a token", json: accountInput }))).toBe("forbidden");
  });

  it("that are invalid are refused without showing them", async () => {
    const created = openApi({ hostToken: "good,shop:all:hidden" });
    await expect(created).rejects.toMatchObject({
      code: "invalid_host_token",
      message: expect.not.stringContaining("hidden"),
    });
  });
});

describe("/metrics", () => {
  const metrics = { render: () => "up 1\n", token: "metrics-token" };

  it.each(["metrics-token", "read-token", hostToken])("accepts %s", async (token) => {
    const api = await openApi({ hostToken: `${hostToken},desk:read:read-token`, metrics });
    expect((await api.fetch(request("/metrics", token))).status).toBe(200);
  });

  it("exists with a metrics token alone", async () => {
    const api = await openApi({ hostToken: undefined, metrics });
    expect((await api.fetch(request("/metrics", "metrics-token"))).status).toBe(200);
    expect((await api.fetch(request("/metrics", hostToken))).status).toBe(401);
  });

  it("is all that the metrics token opens", async () => {
    const api = await openApi({ metrics });
    for (const target of ["PUT /host/v1/accounts/acc_2", "GET /v1/me"])
      expect(codeOf(await call(api, target, { token: "metrics-token" }))).toBe("invalid_api_key");
  });
});

function request(path: string, token: string): Request {
  return new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${token}` } });
}

const accountInput = { name: "Other", email: "other@example.com", timezone: "UTC" };
