import { describe, expect, it, vi } from "vitest";
import { review } from "./support/review.ts";
import { serveRoute } from "./support/serve-route.ts";
import { startExample } from "./support/start-example.ts";

const webhook = { event: "order.created", target_url: "https://hooks.example.com/orders" };

function post(url: string, body: unknown, apiKey = ""): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

describe.concurrent("the example of embedding in", { timeout: 60_000 }, () => {
  it.each(["node-http", "express", "fastify", "h3", "hono"])(
    "%s serves shop and API, publishes, and ends in good order",
    async (name) => {
      await using server = await startExample(`embedding/${name}`);
      const api = `${server.origin}/integrations`;
      const apiKey = /Bearer (hwk_\S+)"/u.exec(server.printed())?.[1] ?? "";

      expect(await (await fetch(server.origin)).text()).toBe("The shop");
      const me = await fetch(`${api}/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } });
      expect(await me.json()).toMatchObject({ data: { id: "acc_bakery" } });

      // A body reaches the API whole, and one that is no JSON is refused by the API, not by the framework.
      expect((await post(`${api}/v1/webhooks`, webhook, apiKey)).status).toBe(201);
      const refused = await fetch(`${api}/v1/webhooks`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: "{",
      });
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { error: { code: "validation_failed" } },
      ]);
      const removed = await fetch(`${api}/v1/webhooks/wh_unknown`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect([removed.status, await removed.json()]).toMatchObject([
        404,
        { error: { code: "resource_not_found" } },
      ]);

      // Under the base path alone, which the document knows.
      expect((await (await fetch(`${server.origin}/v1/me`)).text()).includes("missing_api_key")).toBe(false);
      expect(await (await fetch(`${api}/v1/openapi.json`)).json()).toMatchObject({
        servers: [{ url: expect.stringContaining("/integrations") }],
      });

      // The developer site comes through the framework whole, what it loads included.
      const page = await (await fetch(`${api}/console`)).text();
      const [, script = ""] = /<script type="module" src="([^"]+)"/u.exec(page) ?? [];
      const loaded = await fetch(new URL(script, `${api}/console`));
      expect([loaded.status, loaded.headers.get("content-type")]).toEqual([
        200,
        "text/javascript; charset=utf-8",
      ]);
      expect((await loaded.text()).length).toBeGreaterThan(10_000);

      const published = await post(`${server.origin}/reviews`, review);
      expect([published.status, await published.text()]).toEqual([201, "review.submitted_rev_1"]);

      expect(await server.stop()).toEqual({ code: 0, signal: null });
    },
  );

  it("a Next route answers every method through one function", async () => {
    const { hookwright } = await import("../examples/embedding/bakery.ts");
    await using _ = hookwright;
    const route = await import("../examples/embedding/next-route.ts");
    const { api_key } = await hookwright.apiKeys.create("acc_bakery", { name: "Next" });
    const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
    const url = "http://localhost/integrations/v1/webhooks";
    const created = await route.POST(
      new Request(url, { method: "POST", headers, body: JSON.stringify(webhook) }),
    );
    expect(created.status).toBe(201);
    expect(await (await route.GET(new Request(url, { headers }))).json()).toMatchObject({
      data: [{ event: "order.created" }],
    });
  });
});

it.each(["h3 1", "h3 2"] as const)("a route of Nitro and Nuxt serves the API on %s", async (version) => {
  vi.resetModules();
  // First, so that the API itself keeps the h3 it was made for.
  const { hookwright } = await import("../examples/embedding/bakery.ts");
  await using _ = hookwright;
  await using server = await serveRoute(
    version,
    "/integrations/**",
    () => import("../examples/embedding/nitro-route.ts"),
  );
  const { api_key: apiKey } = await hookwright.apiKeys.create("acc_bakery", { name: "Nitro" });
  const api = `${server.origin}/integrations/v1`;
  expect((await post(`${api}/webhooks`, webhook, apiKey)).status).toBe(201);
  const listed = await fetch(`${api}/webhooks?limit=1`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(await listed.json()).toMatchObject({ data: [{ event: "order.created" }] });
});
