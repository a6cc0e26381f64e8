import { publicApiRoutes } from "@hookwright/api";
import { errorCatalogue, eventCatalogue } from "@hookwright/domain";
import type { Order } from "@hookwright/domain";
import { verify } from "@hookwright/signature";
import { getResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import { operationNames } from "../src/operation-names.ts";
import { untyped } from "./support/untyped.ts";

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
    expect((await api.state()).contacts).toEqual([data]);
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

  it("fails a request without a key, with the headers of the service", async () => {
    api.failNext("rate_limited", { retryAfterSeconds: 3 });
    const { status, code, headers } = await ask("GET /v1/me", undefined, { headers: {} });
    expect([status, code]).toEqual([429, "rate_limited"]);
    expect(headers.get("retry-after")).toBe("3");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
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
    expect((await api.state()).contacts).toEqual([]);
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
  const target_url = "https://hooks.example.com/";

  it("creates an order, a contact and a signed delivery for each webhook", async () => {
    const { data: webhook } = await ask("POST /v1/webhooks", { event: "order.created", target_url });
    const body = await api.publish("order.created", { id: "ord_7" });
    expect((await ask("GET /v1/orders/ord_7")).data).toEqual(body.data);
    expect((await api.state()).contacts).toMatchObject([{ email: "ada@example.com" }]);
    const [delivery, ...others] = await api.takeDeliveries();
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ webhookId: webhook.id, url: target_url, envelope: body });
    const request = delivery?.request() ?? new Request("http://none");
    const verified = await verify({
      body: await request.arrayBuffer(),
      headers: request.headers,
      secrets: webhook.signing_secret,
    });
    expect(verified).toEqual(body);
    expect(await api.takeDeliveries()).toEqual([]);
  });

  it("is delivered with the current record, and its event narrows the data", async () => {
    await api.add({ webhooks: [{ event: "order.created", target_url }] });
    await api.publish("order.created", { id: "ord_7", status: "pending" });
    await api.publish("order.created", { id: "ord_7", status: "paid" });
    const [delivery, ...others] = await api.takeDeliveries();
    expect(others).toEqual([]);
    if (delivery?.envelope.event !== "order.created") throw new Error("another event");
    expectTypeOf(delivery.envelope.data).toEqualTypeOf<Order>();
    expect(delivery.envelope.data).toMatchObject({ id: "ord_7", status: "paid" });
  });

  it("is delivered after a subscription by the API", async () => {
    await api.add({ webhooks: [{ event: "subscriber.created", target_url }] });
    await ask("POST /v1/subscribers", { project_id: "site_1", email: "ada@example.com" });
    const taken = await api.takeDeliveries();
    expect(taken.map(({ envelope }) => envelope.data)).toMatchObject([{ email: "ada@example.com" }]);
    expect((await api.state()).subscribers).toMatchObject([{ email: "ada@example.com" }]);
  });

  it("is not delivered to a webhook or an account that is not active any more", async () => {
    const urls = ["1", "2", "3"].map((path) => target_url + path);
    await api.add({ webhooks: urls.map((url) => ({ event: "order.created", target_url: url })) });
    const [third, second, first] = (await api.state()).webhooks;
    await api.publish("order.created", { id: "ord_1" });
    await ask(`DELETE /v1/webhooks/${first?.id}`);
    await api.changeWebhook(second?.id ?? "", { status: "switched_off" });
    expect((await api.takeDeliveries()).map(({ url }) => url)).toEqual([third?.target_url]);
    expect((await ask(`GET /v1/webhooks/${second?.id}`)).data.status).toBe("switched_off");
    await expect(api.changeWebhook("wh_none", { status: "paused" })).rejects.toMatchObject({
      code: "resource_not_found",
    });
    await api.publish("order.created", { id: "ord_2" });
    await api.add({ account: { status: "suspended" } });
    expect(await api.takeDeliveries()).toEqual([]);
  });

  it("keeps the record of its id, except for changes of the event and given fields", async () => {
    const customer = { name: "Zed", email: "zed@example.com", phone: null };
    await api.publish("order.created", { id: "ord_7", number: "77", status: "pending", customer });
    const { data } = await api.publish("order.paid", { id: "ord_7", note: "Thanks" });
    expect(data).toMatchObject({ number: "77", customer, status: "paid", note: "Thanks" });
    expect((await api.state()).contacts.map(({ email }) => email)).toEqual(["zed@example.com"]);
    await api.publish("order.paid", { id: "ord_7", status: "refunded" });
    expect((await api.publish("order.paid", { id: "ord_7" })).data.status).toBe("refunded");
    expect((await api.publish("order.created", { id: "ord_7" })).data.status).toBe("refunded");
  });

  it("without an id is the sample each time, whatever the test does to the returned body", async () => {
    const { data } = await api.publish("order.paid");
    data.items.length = 0;
    await api.publish("order.paid");
    expect((await api.state()).orders).toEqual([eventCatalogue["order.paid"].sampleData]);
  });

  it("that is unknown is rejected by name", async () => {
    const refusal = { code: "unknown_event", message: expect.stringContaining("order.gone") };
    await expect(api.publish(untyped("order.gone"))).rejects.toMatchObject(refusal);
    await expect(api.add({ events: [{ event: untyped("order.gone") }] })).rejects.toMatchObject(refusal);
  });
});

it("events of the specification that are switched off are not known", async () => {
  const baseUrl = "https://other.example.com";
  const mock = mockApi({ baseUrl, builtInEvents: ["order.paid"] });
  await expect(mock.publish("order.created")).rejects.toMatchObject({
    code: "unknown_event",
    message: expect.stringContaining("is switched off"),
  });
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  const response = await mock.fetch(`${baseUrl}/v1/event-types`, { headers });
  expect(await response.json()).toMatchObject({ data: [{ event: "order.paid" }] });
});

it("calls that are not awaited take effect in order, and before later requests", async () => {
  void api.publish("order.created", { id: "ord_1" });
  const revoked = api.revokeApiKey();
  expect((await ask("GET /v1/me")).code).toBe("invalid_api_key");
  await revoked;
  expect((await api.state()).orders).toHaveLength(1);
});

it("a request that runs during a reset belongs to the old state", async () => {
  const headers = { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ project_id: "site_1", email: "ada@example.com" });
  const late = api.fetch(`${api.baseUrl}/v1/contacts`, { method: "POST", headers, body });
  api.reset();
  api.failNext("internal_error");
  expect((await late).status).toBe(201);
  expect([api.requests, (await api.state()).contacts]).toEqual([[], []]);
  expect((await ask("GET /v1/me")).status).toBe(500);
});

it("changing a snapshot does not change the mock", async () => {
  const { projects } = await api.state();
  Object.assign(projects[0] ?? {}, { name: "Other" });
  expect((await api.state()).projects[0]?.name).toBe("Main street shop");
  const { requests } = api;
  await ask("GET /v1/me");
  expect([requests.length, api.requests.length]).toEqual([0, 1]);
});

it("knows the operations of the API", () => {
  expect(operationNames).toEqual(publicApiRoutes.map(({ method, path }) => `${method} ${path}`));
});

function isCode(code: string): code is keyof typeof errorCatalogue {
  return code in errorCatalogue;
}
