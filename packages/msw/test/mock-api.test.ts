import { errorCatalogue } from "@hookwright/domain";
import { verify } from "@hookwright/signature";
import { getResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import { openRealSide } from "./support/open-real-side.ts";

const api = mockApi({ baseUrl: "https://api.example.com:8443/integrations/", apiKey: "hwk_test" });
const server = setupServer(...api.handlers);
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => api.reset());
afterAll(() => server.close());

/** Calls the API like a program under test: with the global fetch, which msw intercepts. */
async function ask(target: string, json?: unknown, init: RequestInit = {}) {
  const [method = "", path = ""] = target.split(" ", 2);
  const response = await fetch(api.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${api.apiKey}`,
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...init,
  });
  const { data, error } = JSON.parse((await response.text()) || "{}");
  return { status: response.status, headers: response.headers, data, code: error?.code };
}

describe("through msw", () => {
  it("is available at the base URL with its port and path", async () => {
    expect((await ask("GET /v1/me")).data).toMatchObject({ id: "acc_1" });
    expect((await ask("GET /v1/nothing")).code).toBe("not_found");
    const besides = new Request("https://api.example.com:8443/v1/me");
    expect(await getResponse([...api.handlers], besides)).toBeUndefined();
  });

  it("stores written data", async () => {
    const json = { project_id: "site_1", email: "ada@example.com" };
    const { status, data } = await ask("POST /v1/contacts", json);
    expect(status).toBe(201);
    expect((await ask(`GET /v1/contacts/${data.id}`)).data).toEqual(data);
    expect(api.state.contacts).toEqual([data]);
  });
});

it("can be passed to a program as fetch", async () => {
  const headers = { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ project_id: "site_1", email: "ada@example.com" });
  const answer = await api.fetch(`${api.baseUrl}/v1/contacts`, { method: "POST", headers, body });
  expect(answer.status).toBe(201);
  expect((await api.fetch(new URL(`${api.baseUrl}/v1/me`), { headers })).status).toBe(200);
});

describe("a request", () => {
  it("is recorded with its result", async () => {
    await ask("GET /v1/orders?status=paid&limit=5");
    await ask("POST /v1/subscribers", { email: "x" });
    await ask("GET /v1/nothing");
    expect(api.requests).toMatchObject([
      {
        method: "GET",
        path: "/v1/orders",
        operation: "GET /v1/orders",
        query: { status: "paid", limit: "5" },
        body: undefined,
        status: 200,
        code: null,
      },
      { operation: "POST /v1/subscribers", body: { email: "x" }, status: 422, code: "validation_failed" },
      { path: "/v1/nothing", operation: undefined, status: 404, code: "not_found" },
    ]);
    expect(api.requests[0]?.headers.get("authorization")).toBe("Bearer hwk_test");
  });

  it("is recorded as text if it is not JSON", async () => {
    await ask("POST /v1/contacts", undefined, { body: "{" });
    expect(api.requests[0]?.body).toBe("{");
  });
});

describe("a planned failure", () => {
  it.each(Object.entries(errorCatalogue))("%s has the status of the catalogue", async (code, { status }) => {
    if (!isCode(code)) throw new Error("the catalogue's keys are codes");
    api.failNext(code);
    const answer = await ask("GET /v1/me");
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect((await ask("GET /v1/me")).status).toBe(200);
  });

  it("looks like the service's for too many requests", async () => {
    const now = () => Date.UTC(2026, 10, 20, 9, 30);
    await using real = await openRealSide(now, { rateLimitPerMinute: 1 });
    const askReal = () =>
      real.fetch(new Request("http://x/v1/me", { headers: { authorization: `Bearer ${real.key}` } }));
    await askReal();
    const refused = await askReal();
    api.failNext("rate_limited", { retryAfterSeconds: Number(refused.headers.get("retry-after")) });
    const answer = await ask("GET /v1/me");
    expect([answer.status, answer.code]).toEqual([refused.status, (await refused.json()).error.code]);
    expect(answer.headers.get("retry-after")).toBe(refused.headers.get("retry-after"));
  });

  it("may have another status and repeat", async () => {
    api.failNext("internal_error", { status: 503, retryAfterSeconds: 7, times: 2 });
    const answers = [await ask("GET /v1/me"), await ask("GET /v1/me"), await ask("GET /v1/me")];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(answers[0]?.headers.get("retry-after")).toBe("7");
  });

  it("waits for its operation and changes nothing", async () => {
    api.failNext("internal_error", { on: "POST /v1/contacts" });
    expect((await ask("GET /v1/contacts")).status).toBe(200);
    const json = { project_id: "site_1", email: "ada@example.com" };
    expect((await ask("POST /v1/contacts", json)).status).toBe(500);
    expect(api.state.contacts).toEqual([]);
  });

  it("may break the connection", async () => {
    api.failNext("network_error");
    await expect(ask("GET /v1/me")).rejects.toThrow(TypeError);
    api.failNext("network_error");
    await expect(api.fetch(new Request(`${api.baseUrl}/v1/me`))).rejects.toThrow(TypeError);
    expect(api.requests.map(({ status }) => status)).toEqual([null, null]);
  });

  it("may leave a program waiting until it aborts", async () => {
    for (const send of [fetch, api.fetch]) {
      api.failNext("no_answer");
      const client = new AbortController();
      // The request must be referenced until the end, because undici and msw refer to it weakly.
      const request = new Request(`${api.baseUrl}/v1/me`, { signal: client.signal });
      const pending = send(request);
      await expect.poll(() => api.requests.at(-1)?.status).toBeNull();
      client.abort(new Error("enough"));
      await expect(pending).rejects.toThrow("enough");
      expect(request.signal.aborted).toBe(true);
      api.reset();
    }
  });
});

describe("a published event", () => {
  it("creates an order, a contact and a signed delivery for each webhook", async () => {
    const { data: webhook } = await ask("POST /v1/webhooks", {
      event: "order.created",
      target_url: "https://hooks.example.com/",
    });
    const body = api.publish("order.created", { id: "ord_7" });
    expect((await ask("GET /v1/orders/ord_7")).data).toEqual(body.data);
    expect(api.state.contacts).toMatchObject([{ email: "ada@example.com" }]);
    const [delivery, ...others] = await api.takeDeliveries();
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({
      webhookId: webhook.id,
      url: "https://hooks.example.com/",
      envelope: body,
    });
    const request = delivery?.request() ?? new Request("http://none");
    const verified = await verify({
      body: await request.arrayBuffer(),
      headers: request.headers,
      secrets: webhook.signing_secret,
    });
    expect(verified).toEqual(body);
    expect(await api.takeDeliveries()).toEqual([]);
  });

  it("is delivered once for each record and event, with the current record", async () => {
    api.add({ webhooks: [{ event: "order.created", target_url: "https://hooks.example.com/" }] });
    api.publish("order.created", { id: "ord_7", status: "pending" });
    api.publish("order.created", { id: "ord_7", status: "paid" });
    const taken = await api.takeDeliveries();
    expect(taken.map(({ envelope }) => envelope.data)).toMatchObject([{ id: "ord_7", status: "paid" }]);
  });

  it("is not delivered for another site, another event or an inactive account", async () => {
    api.add({
      projects: [{ id: "site_2" }],
      webhooks: [
        { event: "order.paid", target_url: "https://hooks.example.com/1" },
        { event: "order.created", target_url: "https://hooks.example.com/2", project_id: "site_2" },
        { event: "order.created", target_url: "https://hooks.example.com/3", status: "paused" },
      ],
    });
    api.publish("order.created", { id: "ord_1" });
    expect(await api.takeDeliveries()).toEqual([]);
    api.publish("order.created", { id: "ord_2" }, { projectId: "site_2" });
    expect(await api.takeDeliveries()).toHaveLength(1);
    api.add({ account: { status: "suspended" } });
    api.publish("order.created", { id: "ord_3" }, { projectId: "site_2" });
    api.add({ account: { status: "active" } });
    expect(await api.takeDeliveries()).toEqual([]);
  });

  it("is not delivered if the webhook was removed or paused", async () => {
    api.add({
      webhooks: [
        { event: "order.created", target_url: "https://hooks.example.com/1" },
        { event: "order.created", target_url: "https://hooks.example.com/2" },
      ],
    });
    const [second, first] = api.state.webhooks;
    api.publish("order.created");
    await ask(`DELETE /v1/webhooks/${first?.id}`);
    api.changeWebhook(second?.id ?? "", { status: "paused" });
    expect(await api.takeDeliveries()).toEqual([]);
    expect((await ask(`GET /v1/webhooks/${second?.id}`)).data.status).toBe("paused");
  });

  it("is also delivered for a subscription by the API", async () => {
    api.add({ webhooks: [{ event: "subscriber.created", target_url: "https://hooks.example.com/" }] });
    await ask("POST /v1/subscribers", { project_id: "site_1", email: "ada@example.com" });
    await ask("POST /v1/subscribers", { project_id: "site_1", email: "ada@example.com" });
    const taken = await api.takeDeliveries();
    expect(taken.map(({ envelope }) => envelope.data)).toMatchObject([{ email: "ada@example.com" }]);
  });
});

describe("the seed", () => {
  it("is rejected if the service would reject it", () => {
    const baseUrl = "https://api.example.com";
    const code = (seed: Parameters<typeof mockApi>[0]["seed"]) => {
      try {
        mockApi({ baseUrl, seed });
      } catch (error) {
        return error instanceof Error && "code" in error ? error.code : error;
      }
      return undefined;
    };
    expect(code({ contacts: [{ email: "no address" }] })).toBe("validation_failed");
    expect(code({ webhooks: [{ event: "order.paid", target_url: "http://x" }] })).toBe("invalid_target_url");
    expect(code({ projects: [], contacts: [{ email: "ada@example.com" }] })).toBe("no_project");
    expect(() => mockApi({ baseUrl: "/v1" })).toThrow(expect.objectContaining({ code: "invalid_url" }));
  });

  it("is restored by `reset`", async () => {
    const seeded = mockApi({
      baseUrl: "https://api.example.com",
      now: () => 0,
      seed: {
        account: { demo: true, plan: { name: "trial" } },
        projects: [{ id: "site_1" }, { id: "site_2", timezone: "Asia/Tokyo" }],
        emailLists: [{ id: "lst_1" }],
        contacts: [{ email: "ada@example.com" }],
        subscribers: [{ email: "grace@example.com", status: "unsubscribed", list_ids: ["lst_1"] }],
        blogPosts: [{ title: "Winter" }],
        webhooks: [{ event: "order.paid", target_url: "https://x.example.com/", signing_secret: "whsec_1" }],
        events: [{ event: "order.paid", data: { id: "ord_9" } }],
      },
    });
    const before = withoutIds(seeded.state);
    expect(before).toMatchObject({
      account: { demo: true, plan: { name: "trial", crm: true } },
      projects: [
        { id: "site_2", name: "site_2", timezone: "Asia/Tokyo" },
        { id: "site_1", timezone: "Europe/London" },
      ],
      emailLists: [{ id: "lst_1", project_id: "site_1", name: "lst_1" }],
      subscribers: [{ email: "grace@example.com", status: "unsubscribed", list_ids: ["lst_1"] }],
      blogPosts: [{ slug: "winter", project_id: "site_1" }],
      webhooks: [{ signing_secret: "whsec_1", status: "active" }],
      orders: [{ id: "ord_9", status: "paid" }],
    });
    seeded.publish("order.paid", { id: "ord_10" });
    seeded.revokeApiKey();
    seeded.failNext("internal_error");
    await seeded.fetch(new Request("https://api.example.com/v1/me"));
    seeded.reset();
    expect(withoutIds(seeded.state)).toEqual(before);
    expect(seeded.requests).toEqual([]);
    const left = await seeded.takeDeliveries();
    expect(left.map(({ envelope }) => envelope.id)).toEqual(["order.paid_ord_9"]);
    const request = new Request("https://api.example.com/v1/me", {
      headers: { authorization: "Bearer hwk_mock" },
    });
    expect((await seeded.fetch(request)).status).toBe(200);
  });
});

describe("a later seed", () => {
  it("keeps omitted fields", () => {
    api.add({
      projects: [{ id: "site_2", name: "Blog", timezone: "Asia/Tokyo" }],
      emailLists: [
        { id: "lst_1", project_id: "site_2", name: "News" },
        { id: "lst_0", project_id: "site_2" },
      ],
      subscribers: [
        { project_id: "site_2", email: "ada@example.com", name: "Ada", tags: ["a"], list_ids: ["lst_0"] },
      ],
    });
    api.add({
      account: { plan: { crm: false } },
      projects: [{ id: "site_2", name: "Journal" }],
      emailLists: [{ id: "lst_1" }],
      subscribers: [
        {
          project_id: "site_2",
          email: "Ada@example.com",
          status: "unsubscribed",
          tags: ["b"],
          list_ids: ["lst_1"],
        },
      ],
    });
    const { account, projects, emailLists, subscribers } = api.state;
    expect(account).toMatchObject({ name: "Analytical Bakery", plan: { crm: false, integrations: true } });
    expect(projects[0]).toMatchObject({ id: "site_2", name: "Journal", timezone: "Asia/Tokyo" });
    expect(emailLists).toContainEqual(
      expect.objectContaining({ id: "lst_1", project_id: "site_2", name: "News" }),
    );
    expect(subscribers).toMatchObject([
      { name: "Ada", status: "unsubscribed", tags: ["a", "b"], list_ids: ["lst_0", "lst_1"] },
    ]);
  });

  it("cannot move a list to another site", () => {
    api.add({ projects: [{ id: "site_2" }], emailLists: [{ id: "lst_1" }] });
    expect(() => api.add({ emailLists: [{ id: "lst_1", project_id: "site_2" }] })).toThrow(
      expect.objectContaining({ code: "validation_failed" }),
    );
  });
});

it("a request that runs during a reset belongs to the old state", async () => {
  const headers = { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ project_id: "site_1", email: "ada@example.com" });
  const late = api.fetch(`${api.baseUrl}/v1/contacts`, { method: "POST", headers, body });
  api.reset();
  api.failNext("internal_error");
  expect((await late).status).toBe(201);
  expect([api.requests, api.state.contacts]).toEqual([[], []]);
  expect((await ask("GET /v1/me")).status).toBe(500);
});

it("changing a snapshot does not change the mock", () => {
  const { projects } = api.state;
  Object.assign(projects[0] ?? {}, { name: "Other" });
  expect(api.state.projects[0]?.name).toBe("Main street shop");
});

function withoutIds(state: object): unknown {
  return JSON.parse(JSON.stringify(state).replaceAll(/(?:wh|ct|sub|post)_[0-9a-f]{32}/g, "<id>"));
}

function isCode(code: string): code is keyof typeof errorCatalogue {
  return code in errorCatalogue;
}
