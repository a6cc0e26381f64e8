import { afterAll, describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import type { HookwrightOptions } from "../../src/options/options.ts";
import { openWorld } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { stopStorages, storages } from "./support/storages.ts";
import type { StorageUnderTest } from "./support/storages.ts";

useQuickScrypt();
afterAll(stopStorages);

const password = "correct horse battery";

/** A webhook for orders, made with a key, and a console session. Deliveries have one attempt. */
async function openConsole(storage: StorageUnderTest, options: Partial<HookwrightOptions> = {}) {
  const world = await openWorld(storage, { retryDelaysSeconds: [], ...options });
  const { hookwright, host } = world;
  await hookwright.accounts.put("acc_1", { password });
  const { token } = await hookwright.sessions.create({ email: "one@example.com", password });
  const { id } = await world.subscribe("order.created");
  const ask = (target: string, json?: unknown) => world.ask(target, { token, json });
  return Object.assign(world, {
    id,
    token,
    console: ask,
    show: async (webhookId = id) => (await ask(`GET /console/api/webhooks/${webhookId}`)).data,
    listed: async (query = "") => (await ask(`GET /console/api/webhooks${query}`)).rows,
    publish: async (...ids: string[]): Promise<readonly string[]> => {
      const events = ids.map((each) => ({ event: "order.created", project_id: "site_1", data: order(each) }));
      return (await host("POST /host/v1/events", events)).rows.flatMap(({ deliveries }) => deliveries);
    },
  });
}

const changedAt = expect.stringMatching(/^20.*Z$/u);

describe.each(storages)("on $name, the console shows", (storage) => {
  it("why a webhook is not active, since when, and what it has missed", async () => {
    await using world = await openConsole(storage, { endpointBackoffSeconds: 0 });
    const { id, receiver } = world;
    const act = (action: string) => world.console(`POST /console/api/webhooks/${id}/${action}`);
    const active = { status: "active", status_reason: null, missed: 0 };
    expect(await world.show()).toMatchObject({ ...active, status_changed_at: null });
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
      .poll(() => world.show(), { timeout: 20_000 })
      .toMatchObject({
        status: "switched_off",
        status_reason: "failures",
        status_changed_at: changedAt,
        missed: 0,
      });
  });

  it("the name that a webhook was created with, which no API key sees", async () => {
    await using world = await openConsole(storage);
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
});
