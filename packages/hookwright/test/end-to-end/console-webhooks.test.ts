import { describe, expect, it } from "vitest";
import type { Mail } from "../../src/index.ts";
import type { HookwrightOptions } from "../../src/options/options.ts";
import { openConsole as openWorld } from "./support/open-console.ts";
import { memory } from "./support/storages.ts";

async function openConsole(options: Partial<HookwrightOptions> = {}) {
  const world = await openWorld(memory, options);
  const { webhookId: id } = world;
  return Object.assign(world, {
    id,
    show: async (webhookId = id) => (await world.console(`GET /console/api/webhooks/${webhookId}`)).data,
    listed: async (query = "") => (await world.console(`GET /console/api/webhooks${query}`)).rows,
  });
}

const changedAt = expect.stringMatching(/^20.*Z$/u);

describe("the console shows", () => {
  it("why a webhook is not active, since when, and what it has missed", async () => {
    await using world = await openConsole({ endpointBackoffSeconds: 0 });
    const { id, receiver } = world;
    const act = (action: string) => world.console(`POST /console/api/webhooks/${id}/${action}`);
    const active = { status: "active", status_reason: null, missed: 0 };
    expect(await world.show()).toMatchObject({ ...active, status_changed_at: null, removed_at: null });
    const paused = { status: "paused", status_reason: "person", status_changed_at: changedAt };
    expect((await act("pause")).data).toMatchObject({ ...paused, missed: 0 });
    await world.publish("ord_1", "ord_2");
    expect(await world.show()).toMatchObject({ ...paused, missed: 2 });
    expect(await world.listed()).toMatchObject([{ id, ...paused, missed: null }]);
    expect((await act("resume")).data).toMatchObject({ ...active, status_changed_at: changedAt });
    world.advance(1_000);
    await act("pause");
    await world.publish("ord_3");
    expect(await world.show()).toMatchObject({ ...paused, missed: 1 });
    await act("resume");
    receiver.answerWith(500);
    await world.publish(...Array.from({ length: 30 }, (_, index) => `ord_failing_${index}`));
    await expect
      .poll(() => world.show())
      .toMatchObject({
        status: "switched_off",
        status_reason: "failures",
        status_changed_at: changedAt,
        missed: 0,
      });
  });

  it("the name that a webhook was created with, which no API key sees", async () => {
    await using world = await openConsole();
    const input = { event: "order.paid", target_url: `${world.receiver.origin}/paid`, name: "Warehouse" };
    const created = await world.console("POST /console/api/webhooks", input);
    expect([created.status, created.data]).toMatchObject([201, { name: "Warehouse" }]);
    expect(await world.show(created.data.id)).toMatchObject({ name: "Warehouse" });
    const again = await world.console("POST /console/api/webhooks", { ...input, name: "Other" });
    expect([again.status, again.data]).toMatchObject([200, { id: created.data.id, name: "Warehouse" }]);
    expect((await world.ask(`GET /v1/webhooks/${created.data.id}`)).data).not.toHaveProperty("name");
    const long = await world.console("POST /console/api/webhooks", { ...input, name: "x".repeat(101) });
    expect([long.status, long.error?.code]).toEqual([422, "validation_failed"]);
    const blank = { event: "order.created", target_url: `${world.receiver.origin}/blank`, name: " " };
    expect((await world.console("POST /console/api/webhooks", blank)).data).toMatchObject({ name: null });
    const withKey = { event: "order.created", target_url: `${world.receiver.origin}/key`, name: "Ignored" };
    const { data } = await world.ask("POST /v1/webhooks", { json: withKey });
    expect(await world.show(data.id)).toMatchObject({ name: null });
  });

  it("removed webhooks and the reason for 30 days, and they send nothing", async () => {
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail): Promise<void> => void mails.push(mail) };
    await using world = await openConsole({ mailer, consoleTokenSeconds: 40 * 86_400 });
    const { id, receiver, hookwright } = world;
    const subscribe = (path: string) => world.subscribe("order.created", path);
    const [byKey, byPerson, gone] = [
      await subscribe("/key"),
      await subscribe("/person"),
      await subscribe("/gone"),
    ];
    await world.ask(`DELETE /v1/webhooks/${byKey.id}`);
    await world.console(`PATCH /console/api/webhooks/${byPerson.id}`, {
      name: "Warehouse",
      headers: { Authorization: "Basic credential" },
    });
    await world.console(`DELETE /console/api/webhooks/${byPerson.id}`);
    receiver.answerWith(410);
    await world.console(`POST /console/api/webhooks/${gone.id}/test`);
    const [keyId = ""] = (await hookwright.apiKeys.list("acc_1", { limit: 1 })).rows.map((key) => key.id);
    await world.console(`POST /console/api/keys/${keyId}/revoke`);
    const reasons = [
      [gone.id, "gone"],
      [byPerson.id, "person"],
      [byKey.id, "person"],
      [id, "key_revoked"],
    ].map(([webhookId, reason]) => ({
      id: webhookId,
      status: "removed",
      status_reason: reason,
      removed_at: changedAt,
      created_by: { type: "key", key_id: keyId, name: "test" },
    }));
    expect(await world.listed("?status=removed")).toMatchObject(reasons);
    expect(await world.listed("?status=removed&include=health")).toMatchObject(reasons);
    expect(await world.listed()).toEqual([]);
    expect(await world.show(byPerson.id)).toMatchObject({ name: "Warehouse", headers: [], rotating: false });
    expect(await hookwright.webhooks.listRemoved("acc_1")).toMatchObject({ rows: reasons });
    const page = await world.console("GET /console/api/webhooks?status=removed&limit=3");
    const next = `/console/api/webhooks?limit=3&cursor=${page.meta.next_cursor}`;
    expect((await world.console(`GET ${next}&status=removed`)).rows).toMatchObject([{ id }]);
    expect((await world.console(`GET ${next}`)).error?.code).toBe("invalid_cursor");

    const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "other" });
    expect((await world.ask(`GET /v1/webhooks/${gone.id}`, { token: key })).status).toBe(404);
    expect((await world.ask("GET /v1/webhooks", { token: key })).rows).toEqual([]);
    for (const action of ["pause", "resume", "turn-on", "test", "rotate", "rotate/finish"]) {
      const refused = await world.console(`POST /console/api/webhooks/${gone.id}/${action}`);
      expect([action, refused.status, refused.error?.code]).toEqual([action, 409, "invalid_state"]);
    }
    const patched = await world.console(`PATCH /console/api/webhooks/${gone.id}`, { name: "No" });
    expect([patched.status, patched.error?.code]).toEqual([409, "invalid_state"]);
    const arrived = receiver.received.length;
    expect(await world.publish("ord_1")).toEqual([]);
    expect(receiver.received).toHaveLength(arrived);

    await expect.poll(() => mails.map(({ subject }) => subject)).toEqual(["Your webhook was removed"]);
    world.advance(30 * 86_400_000);
    expect(await world.listed("?status=removed")).toEqual([]);
    expect((await world.console(`GET /console/api/webhooks/${gone.id}`)).status).toBe(404);
  });

  it("a webhook whose delivery was answered with 410, and one mail names it", async () => {
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail): Promise<void> => void mails.push(mail) };
    await using world = await openConsole({ mailer });
    const { id, receiver } = world;
    receiver.answerWith(410);
    await world.publish("ord_1", "ord_2", "ord_3");
    await expect
      .poll(() => world.show())
      .toMatchObject({ status: "removed", status_reason: "gone", last_failure_at: changedAt });
    await expect.poll(() => mails).toMatchObject([{ to: "one@example.com" }]);
    expect(mails[0]?.text).toContain(`${receiver.origin}/hooks (${id}) with 410`);
    // The same URL may be subscribed again: the removed webhook is not the existing one.
    const again = await world.subscribe("order.created");
    expect(again.id).not.toBe(id);
    expect(await world.listed()).toMatchObject([{ id: again.id, status: "active" }]);
  });
});

describe("the console counts", () => {
  it("the webhooks of each key", async () => {
    await using world = await openConsole();
    const { hookwright } = world;
    const counts = async () =>
      JSON.parse((await world.console("GET /console/api/keys")).text).data.map(
        ({ name, webhooks_count: count }: { readonly name: string; readonly webhooks_count: number }) => [
          name,
          count,
        ],
      );
    const other = await world.console("POST /console/api/keys", { name: "other" });
    expect(other.data).toMatchObject({ webhooks_count: 0 });
    const second = await world.subscribe("order.paid");
    await world.console("POST /console/api/webhooks", {
      event: "order.paid",
      target_url: `${world.receiver.origin}/console`,
    });
    expect(await counts()).toEqual([
      ["other", 0],
      ["test", 2],
    ]);
    await world.ask(`DELETE /v1/webhooks/${second.id}`);
    expect(await counts()).toEqual([
      ["other", 0],
      ["test", 1],
    ]);
    const [, keyOfWebhook] = (await hookwright.apiKeys.list("acc_1")).rows;
    await hookwright.apiKeys.revoke(keyOfWebhook?.id ?? "");
    expect(await counts()).toEqual([
      ["other", 0],
      ["test", 0],
    ]);
    expect(await world.listed()).toMatchObject([
      { created_by: { type: "console", key_id: null, name: null } },
    ]);
  });
});

it("removed webhooks do not count towards the limit of fifty", async () => {
  await using world = await openConsole();
  const create = (index: number) =>
    world.ask("POST /v1/webhooks", {
      json: { event: "order.paid", target_url: `${world.receiver.origin}/${index}` },
    });
  for (let index = 1; index < 50; index++) await create(index);
  expect((await create(50)).error?.code).toBe("webhook_limit_reached");
  await world.console(`DELETE /console/api/webhooks/${world.id}`);
  expect((await create(50)).status).toBe(201);
  expect((await create(51)).error?.code).toBe("webhook_limit_reached");
});
