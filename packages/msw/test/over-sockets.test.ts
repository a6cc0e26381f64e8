import { once } from "node:events";
import nodeHttp, { request } from "node:http";
import { sampleDeliveryBody } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { http } from "msw";
import { setupServer } from "msw/node";
import { expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import { mockReceiver } from "../src/receiver/mock-receiver.ts";
import { signedDelivery } from "../src/delivery/signed-delivery.ts";
import { toNodeListener } from "../src/to-node-listener.ts";
import { listen } from "./support/listen.ts";

const path = "/orders";

/** Starts the service, which sends to a receiver on this machine. */
async function openSender(targetUrl: string) {
  const hookwright = await createHookwright({
    store: memoryStore(),
    secret: "s".repeat(32),
    privateTargets: true,
    retryDelaysSeconds: [0.05, 0.05, 3_600],
    attemptTimeoutSeconds: 0.3,
  });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", {
    account_id: "acc_1",
    name: "Main street shop",
    timezone: "Europe/London",
  });
  const { webhook } = await hookwright.webhooks.create(
    { accountId: "acc_1", credential: { type: "console" } },
    { event: "order.paid", target_url: targetUrl },
  );
  const { data } = sampleDeliveryBody("order.paid");
  const publish = (id = data.id) =>
    hookwright.publish({ event: "order.paid", project_id: "site_1", data: { ...data, id } });
  return { hookwright, publish, webhookId: webhook.id, secret: webhook.signing_secret ?? "" };
}

it("a receiver on a real socket gets Hookwright's deliveries and retries", async () => {
  const receiver = mockReceiver({ url: `http://localhost${path}`, answers: [500, "network_error", 204] });
  await using server = await listen(toNodeListener(receiver.fetch));
  const { hookwright, publish, secret } = await openSender(server.origin + path);
  await using _ = hookwright;
  receiver.trust(secret);
  const { deliveries } = await publish();
  const signal = AbortSignal.timeout(10_000);
  const attempts = [];
  for (let count = 0; count < 3; count += 1) attempts.push(await receiver.next({ signal }));
  expect(attempts.map(({ deliveryId, attempt, answer }) => [deliveryId, attempt, answer])).toEqual([
    [deliveries[0], 1, 500],
    [deliveries[0], 2, "network_error"],
    [deliveries[0], 3, 204],
  ]);
});

it("msw does not intercept Hookwright's deliveries", async () => {
  const receiver = mockReceiver({ url: `http://localhost${path}` });
  await using server = await listen(toNodeListener(receiver.fetch));
  const caught: string[] = [];
  const msw = setupServer(
    http.all(`${server.origin}${path}`, ({ request }) => {
      caught.push(request.url);
      return new Response(null, { status: 204 });
    }),
  );
  msw.listen({ onUnhandledFrame: "bypass" });
  try {
    const { hookwright, publish, secret } = await openSender(server.origin + path);
    await using _ = hookwright;
    receiver.trust(secret);
    const ids = Array.from({ length: 8 }, (_each, index) => `ord_${index}`);
    await Promise.all(ids.map((id) => publish(id)));
    const signal = AbortSignal.timeout(10_000);
    const taken = await Promise.all(ids.map(() => receiver.next({ signal })));
    expect(taken.map(({ event }) => event.id).toSorted()).toEqual(ids.map((id) => `order.paid_${id}`));
    expect(receiver.refused).toEqual([]);
    expect(caught).toEqual([]);
  } finally {
    msw.close();
  }
});

it("msw intercepts `http.request`, but not the named import `request`", async () => {
  const seen: string[] = [];
  await using server = await listen(
    toNodeListener(async ({ url }) => {
      seen.push(new URL(url).pathname);
      return new Response(null, { status: 204 });
    }),
  );
  const receiver = mockReceiver({ url: server.origin + path });
  const msw = setupServer(...receiver.handlers);
  msw.listen({ onUnhandledFrame: "bypass" });
  try {
    for (const send of [nodeHttp.request, request]) {
      const sent = send(server.origin + path, { method: "POST" }).end();
      const [answer] = await once(sent, "response");
      answer.resume();
    }
    expect([receiver.refused.length, seen]).toEqual([1, [path]]);
  } finally {
    msw.close();
  }
});

it("no_answer is a time-out for the sender and leaves nothing open", async () => {
  const receiver = mockReceiver({ url: `http://localhost${path}`, answers: ["no_answer", 204] });
  const signals: AbortSignal[] = [];
  const settled: string[] = [];
  const watched = async (request: Request): Promise<Response> => {
    signals.push(request.signal);
    return receiver.fetch(request).finally(() => settled.push(request.method));
  };
  await using server = await listen(toNodeListener(watched));
  const { hookwright, publish, secret } = await openSender(server.origin + path);
  await using _ = hookwright;
  receiver.trust(secret);
  await publish();
  const signal = AbortSignal.timeout(10_000);
  await receiver.next({ signal });
  expect(await receiver.next({ signal })).toMatchObject({ attempt: 2, answer: 204 });
  await expect.poll(() => settled.length).toBe(2);
  expect(signals[0]?.aborted).toBe(true);
  await hookwright.close();
  await expect.poll(() => server.countConnections()).toBe(0);
});

it("a path may begin with two slashes", async () => {
  const seen: string[] = [];
  await using server = await listen(
    toNodeListener(async ({ url }) => {
      seen.push(url);
      return new Response(null, { status: 204 });
    }),
  );
  const { port } = new URL(server.origin);
  for (const target of ["//x/hooks", "/hooks?a=1", "http://x.example/hooks"]) {
    const sent = request({ host: "127.0.0.1", port, path: target, method: "POST" }).end();
    const [answer] = await once(sent, "response");
    answer.resume();
  }
  expect(seen).toEqual(["http://localhost//x/hooks", "http://localhost/hooks?a=1", "http://x.example/hooks"]);
});

it("the mocked API can be served on a socket", async () => {
  const api = mockApi({ baseUrl: "http://localhost/base" });
  await using server = await listen(toNodeListener(api.fetch));
  const authorization = `Bearer ${api.apiKey}`;
  const answer = await fetch(`${server.origin}/base/v1/contacts`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ project_id: "site_1", email: "ada@example.com" }),
  });
  expect(answer.status).toBe(201);
  const head = await fetch(`${server.origin}/base/v1/me`, { method: "HEAD", headers: { authorization } });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  api.failNext("network_error");
  await expect(fetch(`${server.origin}/base/v1/me`, { headers: { authorization } })).rejects.toThrow(
    TypeError,
  );
});

it("a repeated timestamp header is rejected", async () => {
  const secret = "whsec_example";
  const receiver = mockReceiver({ url: `http://localhost${path}`, secrets: secret });
  await using server = await listen(toNodeListener(receiver.fetch));
  const { headers, body } = await signedDelivery({ event: "order.paid", secret });
  const timestamp = headers["X-Service-Timestamp"] ?? "";
  const twice = { ...headers, "X-Service-Timestamp": [timestamp, timestamp] };
  const sent = request(server.origin + path, { method: "POST", headers: twice }).end(body);
  const [answer] = await once(sent, "response");
  answer.resume();
  expect(answer.statusCode).toBe(401);
  await expect(receiver.next()).rejects.toMatchObject({ code: "malformed_header" });
});
