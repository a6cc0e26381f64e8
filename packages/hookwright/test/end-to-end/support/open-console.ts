import type { DeliveryDetail } from "@hookwright/domain";
import { expect } from "vitest";
import type { HookwrightOptions } from "../../../src/options/options.ts";
import { openSession } from "../../support/open-session.ts";
import { openWorld } from "./open-world.ts";
import type { Answered, World } from "./open-world.ts";
import { order } from "./records.ts";
import type { StorageUnderTest } from "./storages.ts";

export interface Console extends World {
  /** A webhook for orders, made with the key of the account. */
  readonly webhookId: string;
  readonly token: string;
  /** Calls a route with the console token. */
  console(target: string, json?: unknown): Promise<Answered>;
  /** A delivery with its attempts. */
  get(deliveryId: string): Promise<DeliveryDetail>;
  /** Publishes orders. Returns the ids of their deliveries. */
  publish(...ids: string[]): Promise<readonly string[]>;
  /** Publishes orders and waits until their deliveries have ended. */
  deliver(...ids: string[]): Promise<readonly string[]>;
}

/** A world with a webhook and a console session. Deliveries have one attempt, unless the options say otherwise. */
export async function openConsole(
  storage: StorageUnderTest,
  options: Partial<HookwrightOptions> = {},
): Promise<Console> {
  const world = await openWorld(storage, { retryDelaysSeconds: [], ...options });
  const token = await openSession(world.hookwright);
  const { id: webhookId } = await world.subscribe("order.created");
  async function publish(...ids: string[]): Promise<readonly string[]> {
    const events = ids.map((id) => ({ event: "order.created", project_id: "site_1", data: order(id) }));
    return (await world.host("POST /host/v1/events", events)).rows.flatMap(({ deliveries }) => deliveries);
  }
  return Object.assign(world, {
    webhookId,
    token,
    console: (target: string, json?: unknown) => world.ask(target, { token, json }),
    get: (deliveryId: string) => world.hookwright.deliveries.get("acc_1", deliveryId),
    publish,
    async deliver(...ids: string[]): Promise<readonly string[]> {
      const deliveries = await publish(...ids);
      for (const id of deliveries) await expect.poll(() => world.statusOf(id)).not.toBe("pending");
      return deliveries;
    },
  });
}
