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

/** A webhook for orders and a console session. Deliveries have one attempt, unless the options say otherwise. */
async function openConsole(storage: StorageUnderTest, options: Partial<HookwrightOptions> = {}) {
  const world = await openWorld(storage, { retryDelaysSeconds: [], ...options });
  const { hookwright, host } = world;
  await hookwright.accounts.put("acc_1", { password });
  const { token } = await hookwright.sessions.create({ email: "one@example.com", password });
  const { id: webhookId } = await world.subscribe("order.created");
  const get = (id: string) => hookwright.deliveries.get("acc_1", id);
  const publish = async (id: string): Promise<string> => {
    const event = { event: "order.created", project_id: "site_1", data: order(id) };
    const { data } = await host("POST /host/v1/events", event);
    return data.deliveries[0] ?? "";
  };
  return Object.assign(world, {
    webhookId,
    token,
    console: (target: string, json?: unknown) => world.ask(target, { token, json }),
    get,
    publish,
    /** Publishes an order and waits until its delivery has ended. */
    deliver: async (id: string): Promise<string> => {
      const delivery = await publish(id);
      await expect.poll(async () => (await get(delivery)).status).not.toBe("pending");
      return delivery;
    },
  });
}

describe.each(storages)("on $name, the console shows", (storage) => {
  it("the outcome of the newest attempt in every row of the log", async () => {
    await using world = await openConsole(storage);
    const { receiver, ask } = world;
    await world.deliver("ord_1");
    receiver.answerWith(503);
    await world.deliver("ord_2");
    const { rows } = await world.console("GET /console/api/deliveries");
    const duration = expect.any(Number);
    expect(rows).toMatchObject([
      { record_id: "ord_2", last_status: 503, last_error: "status", last_duration_ms: duration },
      { record_id: "ord_1", last_status: 204, last_error: null, last_duration_ms: duration },
    ]);
    expect((await ask("GET /developer/v1/deliveries")).rows).toEqual(rows);
  });
});
