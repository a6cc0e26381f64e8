import { verifySync } from "@hookwright/signature/node";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it, vi } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import type { Logger } from "@hookwright/domain";
import { openBakery, publishReview, secret } from "./support/bakery.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { useQuickScrypt } from "../../service/test/support/quick-scrypt.ts";

useQuickScrypt();

function request(path: string, token?: string): Request {
  return new Request(
    `http://localhost${path}`,
    token ? { headers: { authorization: `Bearer ${token}` } } : {},
  );
}

describe("a published event", () => {
  it("arrives signed, and is logged as delivered", async () => {
    await using receiver = await openReceiver();
    await using hookwright = await createHookwright({
      store: memoryStore(),
      secret,
      trustedOrigins: [receiver.origin],
    });
    const { webhook } = await openBakery(hookwright, `${receiver.origin}/hooks`);
    const published = await publishReview(hookwright, "rev_1");
    const { headers, body } = await receiver.next();
    const event = verifySync({ body, headers, secrets: webhook.signing_secret ?? "" });
    expect(event).toMatchObject({ id: published.id, project: { id: "site_shop" }, data: { rating: 5 } });
    expect(headers["x-service-delivery"]).toBe(published.deliveries[0]);
    await expect.poll(() => hookwright.scheduler.stats.unrecorded).toBe(0);
    const delivery = await hookwright.deliveries.get("acc_bakery", published.deliveries[0] ?? "");
    expect(delivery).toMatchObject({
      status: "delivered",
      attempts: [{ number: 1, status: 204, error: null }],
    });
  });

  it("is delivered with a clock that returns fractions of milliseconds", async () => {
    await using receiver = await openReceiver();
    await using hookwright = await createHookwright({
      store: memoryStore(),
      secret,
      trustedOrigins: [receiver.origin],
      now: () => performance.timeOrigin + performance.now(),
    });
    await openBakery(hookwright, `${receiver.origin}/hooks`);
    await publishReview(hookwright, "rev_1");
    expect(JSON.parse((await receiver.next()).body.toString())).toMatchObject({ data: { id: "rev_1" } });
  });

  it("is refused and not stored if its webhook targets this machine", async () => {
    await using receiver = await openReceiver();
    await using hookwright = await createHookwright({ store: memoryStore(), secret });
    await expect(openBakery(hookwright, `${receiver.origin}/hooks`)).rejects.toMatchObject({
      code: "invalid_target_url",
    });
  });

  it("is delivered by a worker on the same store, not by a process with the role api", async () => {
    await using receiver = await openReceiver();
    const store = memoryStore();
    const shared = { store, secret, trustedOrigins: [receiver.origin] };
    await using api = await createHookwright({ ...shared, role: "api" });
    await openBakery(api, `${receiver.origin}/hooks`);
    await publishReview(api, "rev_1");
    expect([api.scheduler.running, receiver.waiting]).toEqual([false, []]);
    await using worker = await createHookwright({ ...shared, role: "worker" });
    expect(JSON.parse((await receiver.next()).body.toString())).toMatchObject({ data: { id: "rev_1" } });
    await publishReview(api, "rev_2");
    expect(JSON.parse((await receiver.next()).body.toString())).toMatchObject({ data: { id: "rev_2" } });
    expect(worker.scheduler.running).toBe(true);
  });

  it("is delivered by the next process if the publishing process closes first", async () => {
    await using receiver = await openReceiver();
    const shared = { store: memoryStore(), secret, trustedOrigins: [receiver.origin] };
    const first = await createHookwright({ ...shared, role: "api" });
    await openBakery(first, `${receiver.origin}/hooks`);
    await publishReview(first, "rev_1");
    await first.close();
    await using _ = await createHookwright(shared);
    expect((await receiver.next()).headers["x-service-event"]).toBe("review.submitted");
  });
});

describe.each([
  ["three minutes behind", -180_000],
  ["a year behind", -365 * 86_400_000],
  ["a day ahead", 86_400_000],
])("a host clock %s", (_, difference) => {
  it("neither expires rows early nor bypasses limits", async () => {
    let passed = 0;
    await using hookwright = await createHookwright({
      store: memoryStore(),
      secret,
      now: () => Date.now() + difference + passed,
      rateLimitPerMinute: 2,
      consoleTokenSeconds: 10,
      privateTargets: true,
    });
    const { apiKey } = await openBakery(hookwright, "http://127.0.0.1:9/hooks");
    await hookwright.accounts.put("acc_bakery", {
      password: "right",
      plan: { monthly_new_subscribers: 1 },
    });
    const ask = async (): Promise<number> => (await hookwright.fetch(request("/v1/me", apiKey))).status;
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
    passed = 61_000;
    expect(await ask()).toBe(200);
    const { emailList } = await hookwright.emailLists.put("lst_news", {
      project_id: "site_shop",
      name: "News",
    });
    const subscribe = (email: string) =>
      hookwright.subscribers.subscribe("acc_bakery", {
        project_id: "site_shop",
        email,
        list_id: emailList.id,
      });
    await subscribe("ada@example.com");
    await expect(subscribe("grace@example.com")).rejects.toMatchObject({ code: "plan_limit_reached" });
    const signIn = await hookwright.fetch(
      new Request("http://localhost/console/api/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "owner@example.com", password: "right" }),
      }),
    );
    const { data } = await signIn.json();
    const look = async () => (await hookwright.fetch(request("/console/api/webhooks", data.token))).json();
    passed += 9_000;
    expect(await look()).toMatchObject({ success: true });
    passed += 2_000;
    expect(await look()).toMatchObject({ error: { code: "console_token_expired" } });
  });
});

describe("the routes", () => {
  it("of a worker are only the operations routes", async () => {
    await using worker = await createHookwright({ store: memoryStore(), secret, role: "worker" });
    expect((await worker.fetch(request("/readyz"))).status).toBe(200);
    expect((await worker.fetch(request("/v1/openapi.json"))).status).toBe(404);
  });

  it("are below the base path for app, fetch and handler", async () => {
    await using hookwright = await createHookwright({
      store: memoryStore(),
      secret,
      role: "api",
      basePath: "/integrations",
    });
    const path = "/integrations/v1/openapi.json";
    expect((await hookwright.fetch(request(path))).status).toBe(200);
    expect((await hookwright.fetch(request("/v1/openapi.json"))).status).toBe(404);
    expect((await hookwright.app.request(path)).status).toBe(200);
  });

  it("are documented with the configured rate limit", async () => {
    await using hookwright = await createHookwright({ store: memoryStore(), secret, rateLimitPerMinute: 50 });
    const document = await (await hookwright.fetch(request("/v1/openapi.json"))).text();
    expect(document).toContain("An account may send 50 requests per minute.");
    expect(document).not.toContain("200 requests");
  });
});

it("neither the key nor the signing secret is logged or stored as plain text", async () => {
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() } satisfies Logger;
  const store = memoryStore();
  const written: string[] = [];
  const commit = store.commit.bind(store);
  await using hookwright = await createHookwright({
    store: {
      ...store,
      commit: (partition, change) => {
        written.push(JSON.stringify(change));
        return commit(partition, change);
      },
    },
    secret,
    role: "api",
    logger,
  });
  const { apiKey, webhook } = await openBakery(hookwright, "https://hooks.example.com");
  await hookwright.fetch(request("/v1/me", apiKey));
  const seen = [...written, JSON.stringify(Object.values(logger).flatMap(({ mock }) => mock.calls))].join(
    "\n",
  );
  expect(seen).toContain("owner@example.com");
  for (const hidden of [apiKey, webhook.signing_secret ?? "?", secret]) expect(seen).not.toContain(hidden);
});
