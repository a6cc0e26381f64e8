import { expect, it } from "vitest";
import { createHostClient } from "../../src/host.ts";
import { hostOperations } from "../../src/host/operations.ts";
import { openHostWorld } from "../support/open-host-world.ts";
import { scriptedFetch, success, unreachable } from "../support/scripted-fetch.ts";

/** Calls each operation once and ignores the results. */
async function callAll(fetch: ReturnType<typeof scriptedFetch>["fetch"], retries = 0): Promise<void> {
  const sleep = async (): Promise<void> => {};
  const host = createHostClient({
    baseUrl: "https://example.com",
    hostToken: "token",
    retries,
    fetch,
    sleep,
  });
  const data = { id: "ord_1", total: 1 };
  await Promise.allSettled([
    host.accounts.put("id", {}),
    host.accounts.list().page(),
    host.accounts.get("id"),
    host.accounts.ledger("id"),
    host.accounts.people("id").page(),
    host.accounts.delete("id"),
    host.projects.put("id", {}),
    host.emailLists.put("id", {}),
    host.apiKeys.create("id", { name: "Shop" }),
    host.apiKeys.revoke("id"),
    host.webhooks.create("id", { event: "order.paid", target_url: "https://example.com" }),
    host.consoleSessions.create("id"),
    host.consoleSessions.end("id"),
    host.events.publish({ event: "order.paid", project_id: "site_1", data }),
    host.eventTypes.list(),
    host.eventTypes.put("name", { description: "Sent.", schema: {}, sample: {} }),
    host.eventTypes.delete("name"),
    host.records.delete("id", "kind", "record"),
    host.subscribers.put("id", "email", {}),
    host.suppressions.put("email", { reason: "bounced" }),
    host.suppressions.delete("email"),
    host.webhooks.recover("id", { since: "2026-11-20T09:30:00Z" }),
    host.webhooks.list().page(),
    host.search({ q: "ord_1" }),
    host.stats(),
    host.webhooks.disable("id", { reason: "Abuse" }),
    host.webhooks.limit("id", { max_per_second: 1 }),
    host.webhooks.test("id"),
    host.webhooks.enable("id"),
    host.webhooks.pause("id"),
    host.webhooks.resume("id"),
    host.webhooks.turnOn("id"),
    host.webhookActions.start({ action: "pause", filter: {} }),
    host.webhookActions.list().page(),
    host.webhookActions.get("id"),
    host.webhookActions.stop("id"),
    host.resends.start("id", { filter: {} }),
    host.resends.list("id").page(),
    host.resends.get("id", "job"),
    host.resends.stop("id", "job"),
    host.erasures.start("id", { email: "ada@example.com" }),
    host.erasures.get("id", "erasure"),
    host.contacts.delete("id", "contact"),
    host.audit.list().page(),
    host.audit.export(),
    host.noticeEndpoint.put({ url: "https://example.com" }),
    host.noticeEndpoint.get(),
    host.noticeEndpoint.delete(),
    host.notices.list().page(),
    host.outbox.count(),
    host.outbox.list().page(),
    host.outbox.get("id"),
    host.outbox.retry("id"),
    host.outbox.delete("id"),
    host.openApi(),
  ]);
}

async function documentedOperations(): Promise<Record<string, string>> {
  await using world = await openHostWorld();
  const document: {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>;
  } = JSON.parse(JSON.stringify(await world.host.openApi()));
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      `${method.toUpperCase()} ${path}`,
    ]),
  );
  return Object.fromEntries(documented);
}

it("the client has each operation of the host API: add new ones to src/host/operations.ts", async () => {
  const ours = Object.entries(hostOperations).map(([id, { method, path }]) => [id, `${method} ${path}`]);
  expect(Object.fromEntries(ours)).toEqual(await documentedOperations());
});

it("there is a call for each operation: add new ones to src/host/resources.ts, create-host-resources.ts and this test", async () => {
  const { fetch, requests, inits } = scriptedFetch(success({}));
  await callAll(fetch);
  const called = requests.map((request) => {
    const [method, path = ""] = request.replace("https://example.com", "").split(/ |\?/u);
    return `${method} ${path.replaceAll(/\/(id|job|email|kind|record|erasure|contact|name)(?=\/|$)/gu, "/{$1}")}`;
  });
  expect(called.toSorted()).toEqual(
    Object.values(hostOperations)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  );
  for (const { headers } of inits) expect(new Headers(headers).get("authorization")).toBe("Bearer token");
});

it("a change that must not happen twice, or that returns a secret, is sent once if its outcome is unknown", async () => {
  const { fetch, requests } = scriptedFetch(unreachable);
  await callAll(fetch, 1);
  const once = requests.filter((request) => requests.indexOf(request) === requests.lastIndexOf(request));
  const expected = Object.values(hostOperations).filter(({ repeatable }) => !repeatable);
  expect(once).toHaveLength(expected.length);
  expect(once.filter((request) => request.startsWith("GET"))).toEqual([]);
  // The same limit may be set again.
  expect(once.filter((request) => request.endsWith("/limit"))).toEqual([]);
  for (const name of ["api-keys", "resends", "webhooks", "notice-endpoint"])
    expect(once.filter((request) => request.endsWith(name))).toHaveLength(1);
});
