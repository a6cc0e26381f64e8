import { describe, expect, it } from "vitest";
import { createClient } from "../src/create-client.ts";
import { operations } from "../src/operations.ts";
import { openWorld } from "./support/open-world.ts";
import { scriptedFetch, success, unreachable } from "./support/scripted-fetch.ts";

/** Calls each operation once and ignores the results. */
async function callAll(fetch: ReturnType<typeof scriptedFetch>["fetch"], retries = 0): Promise<void> {
  const sleep = async (): Promise<void> => {};
  const client = createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", retries, fetch, sleep });
  const site = { project_id: "site_1" };
  await Promise.allSettled([
    client.me(),
    client.projects.list().page(),
    client.eventTypes.list().page(),
    client.eventTypes.samples("order.paid").page(),
    client.webhooks.list().page(),
    client.webhooks.create({ event: "order.paid", target_url: "https://example.com" }),
    client.webhooks.get("an_id"),
    client.webhooks.delete("an_id"),
    client.contacts.list().page(),
    client.contacts.save({ ...site, email: "ada@example.com" }),
    client.contacts.get("an_id"),
    client.subscribers.create({ ...site, email: "ada@example.com" }),
    client.emailLists.list().page(),
    client.blogPosts.create({ ...site, title: "A title" }),
    client.orders.list().page(),
    client.orders.get("an_id"),
    client.openApi(),
  ]);
}

async function documentedOperations(): Promise<Record<string, string>> {
  await using world = await openWorld();
  const document: {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>;
  } = JSON.parse(JSON.stringify(await world.client.openApi()));
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      `${method.toUpperCase()} ${path}`,
    ]),
  );
  return Object.fromEntries(documented);
}

describe("the OpenAPI document and the client", () => {
  it("have the same operations", async () => {
    const ours = Object.entries(operations).map(([id, { method, path }]) => [id, `${method} ${path}`]);
    expect(Object.fromEntries(ours)).toEqual(await documentedOperations());
    expect(ours).toHaveLength(17);
  });

  it("have a call for each operation", async () => {
    const { fetch, requests } = scriptedFetch(success({}));
    await callAll(fetch);
    const called = requests.map((request) =>
      request.replace("https://example.com", "").replace("an_id", "{id}").replace("/order.paid/", "/{type}/"),
    );
    expect(called.toSorted()).toEqual(Object.values(await documentedOperations()).toSorted());
  });

  it("retry all operations with an unknown outcome except the two that are not safe", async () => {
    const { fetch, requests } = scriptedFetch(unreachable);
    await callAll(fetch, 1);
    const once = requests.filter((request) => requests.indexOf(request) === requests.lastIndexOf(request));
    const harmful = ["POST https://example.com/v1/blog-posts", "POST https://example.com/v1/webhooks"];
    expect(once.toSorted()).toEqual(harmful);
    expect(requests).toHaveLength(2 * 17 - 2);
  });

  it("send the key with all operations except the description, and a content type only with bodies", async () => {
    const { fetch, requests, inits } = scriptedFetch(success({}));
    await callAll(fetch);
    for (const [index, init] of inits.entries()) {
      const headers = new Headers(init.headers);
      const isOpenApi = requests[index]?.endsWith("/openapi.json") === true;
      expect(headers.get("authorization")).toBe(isOpenApi ? null : "Bearer hwk_1");
      expect(headers.get("content-type")).toBe(init.method === "POST" ? "application/json" : null);
      expect([headers.get("accept"), init.redirect]).toEqual(["application/json", "manual"]);
    }
  });
});
