import { expect, expectTypeOf, it } from "vitest";
import type { HostAccount } from "../../src/host.ts";
import { failureOf } from "../support/failure-of.ts";
import { openHostWorld } from "../support/open-host-world.ts";
import { openServer } from "../support/open-server.ts";

it("an account is created, its event is delivered and found, its webhook is disabled, and the audit log has it", async () => {
  const received: string[] = [];
  await using receiver = await openServer((request, response) => {
    received.push(String(request.headers["x-service-event"]));
    response.writeHead(204).end();
  });
  await using world = await openHostWorld({ privateTargets: true });
  const { host } = world;

  const account = await host.accounts.put("acc_1", { name: "Bakery", email: "owner@example.com" });
  expect(account).toMatchObject({ created: true, data: { id: "acc_1", status: "active" } });
  if (account.created) expectTypeOf(account.data).toEqualTypeOf<HostAccount>();
  expect(await host.accounts.put("acc_1", { name: "Bakery 2", timezone: null })).toMatchObject({
    created: false,
    data: { name: "Bakery 2" },
  });
  await host.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  const { api_key: key } = await host.apiKeys.create("acc_1", { name: "Shop", rights: ["read"] });
  expect(key).toMatch(/^hwk_/u);
  const creation = await host.webhooks.create("acc_1", { events: ["*"], target_url: `${receiver.origin}/x` });
  expect(creation).toMatchObject({ created: true, webhook: { signing_secret: expect.any(String) } });
  const { id } = creation.webhook;

  const event = { event: "order.paid", project_id: "site_1", data: { id: "ord_1", total: 12.5 } } as const;
  const published = await host.events.publish(event);
  expect(published).toMatchObject({ id: "order.paid_ord_1", duplicate: false });
  expect(published.deliveries).toHaveLength(1);
  const [again, refused] = await host.events.publishMany([event, { ...event, event: "order.lost" }]);
  expect(again).toMatchObject({ duplicate: true });
  expect(refused).toMatchObject({ error: { code: "unknown_event" } });
  await expect.poll(() => received).toEqual(["order.paid"]);

  const found = await host.search({ q: "ord_1" });
  expect(found).toMatchObject({
    data: { deliveries: [{ account_id: "acc_1", record_id: "ord_1" }] },
    meta: { has_more: false, next_cursor: null },
  });
  expect((await host.accounts.ledger("acc_1", { step: 60 })).totals.due).toBe(1);
  expect(await host.stats()).toMatchObject({ accounts: 1, webhooks: { active: 1 } });

  expect(await host.webhooks.disable(id, { reason: "Not your URL" })).toMatchObject({
    status: "disabled_by_host",
    status_detail: "Not your URL",
  });
  expect(await failureOf(host.webhooks.resume(id))).toMatchObject({ status: 409, code: "invalid_state" });
  expect(await host.webhooks.list({ status: "disabled_by_host" }).toArray()).toMatchObject([{ id }]);

  const actions: string[] = [];
  for await (const entry of host.audit.list({ account_id: "acc_1", limit: 2 })) actions.push(entry.action);
  expect(actions).toEqual(expect.arrayContaining(["account.created", "api_key.created", "webhook.created"]));
  expect(actions.length).toBeGreaterThan(4);
  const csv = await host.audit.export({ account_id: "acc_1" });
  expect(csv.split("\r\n")).toHaveLength(actions.length + 2);
  const lines = await host.audit.export({ format: "ndjson", action: "webhook.created" });
  expect(JSON.parse(lines)).toMatchObject({ target: { id } });
  expect(await failureOf(world.connect({ responseLimitBytes: 10 }).audit.export())).toMatchObject({
    code: "response_too_large",
    message: expect.stringContaining("Export a shorter period with since and until."),
  });
});

it("jobs are counted, started and read", async () => {
  await using world = await openHostWorld({ role: "api" });
  const { host } = world;
  await host.accounts.put("acc_1", { email: "owner@example.com" });
  expect(await host.resends.preview("acc_1", { filter: { statuses: ["failed"] } })).toEqual({
    found: 0,
    skipped: 0,
    complete: true,
  });
  const { id } = await host.resends.start("acc_1", { filter: { statuses: ["failed"] } });
  expect(await host.resends.get("acc_1", id)).toMatchObject({ id });
  expect(await host.resends.list("acc_1").toArray()).toMatchObject([{ id }]);
  const action = { action: "pause", filter: { status: "active" } } as const;
  expect(await host.webhookActions.preview(action)).toEqual({ found: 0 });
  expect(await host.webhookActions.list().toArray()).toEqual([]);
  // `start` always starts a job, and `preview` never does.
  expectTypeOf<Parameters<typeof host.resends.start>[1]>().not.toHaveProperty("dry_run");
  expectTypeOf<Parameters<typeof host.webhookActions.start>[0]>().not.toHaveProperty("dry_run");
});

it("what was put is deleted once, also if the response to the first attempt is lost", async () => {
  await using world = await openHostWorld({ role: "api" });
  const { host } = world;
  expect(await host.suppressions.put("ada@example.com", { reason: "bounced" })).toEqual({
    created: true,
    data: { email: "ada@example.com", reason: "bounced" },
  });
  let attempts = 0;
  const lossy = world.connect({
    async fetch(url, init) {
      const response = await fetch(url, init);
      attempts += 1;
      return attempts === 1 ? new Response(null, { status: 502 }) : response;
    },
  });
  expect(await lossy.suppressions.delete("ada@example.com")).toEqual({
    email: "ada@example.com",
    deleted: true,
  });
  expect(attempts).toBe(2);
  expect(await failureOf(host.suppressions.delete("ada@example.com"))).toMatchObject({
    status: 404,
    code: "resource_not_found",
    operation: "DELETE /host/v1/suppressions/{email}",
  });
});

it("errors advise on the host token, and never contain it", async () => {
  await using world = await openHostWorld({ hostToken: "shop:publish:a shop token" });
  const refused = await failureOf(world.connect({ hostToken: "a shop token" }).stats());
  expect(refused).toMatchObject({ status: 403, code: "forbidden" });
  expect(refused.message).toMatch(/the scope "read".*Use a host token with this scope\.$/u);
  const wrong = await failureOf(world.connect({ hostToken: "shop:publish:a shop token" }).stats());
  expect(wrong.message).toMatch(/Pass a token of HOOKWRIGHT_HOST_TOKEN, without its name and scopes\.$/u);
  await using without = await openHostWorld({ hostToken: undefined });
  expect((await failureOf(without.host.stats())).message).toContain("has no host API");
  const quoting = world.connect({
    hostToken: "a secret host token",
    fetch: async () => new Response("Bearer a secret host token", { status: 400 }),
  });
  expect((await failureOf(quoting.stats())).message).toContain("Bearer [host token]");
  for (const hostToken of ["", "token\n", " token"])
    expect(() => world.connect({ hostToken })).toThrow(/^hostToken: must be (?:a host token|only the host)/u);
});
