import { createEventRegistry, specificationEvents } from "@hookwright/domain";
import type { EventRegistry, StandardSchema } from "@hookwright/domain";
import { expect, it } from "vitest";
import { findRemovedEvents, isKnownOwnEvent } from "../src/webhooks/removed-events.ts";
import { accountId } from "./support/fake-world.ts";
import { openService } from "./support/open-service.ts";

const event = "cart.abandoned";
const caller = { accountId, credential: { type: "console" } } as const;
const anything: StandardSchema = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
};

function registerEvent(): EventRegistry {
  const creation = createEventRegistry({
    [event]: { schema: anything, sample: { id: "cart_1" }, description: "A customer leaves." },
  });
  if (!creation.ok) throw new Error(JSON.stringify(creation.problems));
  return creation.registry;
}

it("an own event stays known, without a warning, while a webhook has every event", async () => {
  const events = registerEvent();
  const { service, store } = openService({ events });
  await service.accounts.put(accountId, { email: "owner@example.com" });
  const { webhook } = await service.webhooks.create(caller, {
    events: ["*"],
    target_url: "https://example.com/hooks",
  });
  expect(await findRemovedEvents(store, events)).toEqual([]);
  expect(await findRemovedEvents(store, specificationEvents)).toEqual([]);
  expect(await isKnownOwnEvent(store, event)).toBe(true);

  await service.webhooks.remove(accountId, webhook.id);
  expect(await findRemovedEvents(store, specificationEvents)).toEqual([]);
  expect(await isKnownOwnEvent(store, event)).toBe(false);
});

it("an event of the specification that is switched off is named as long as a webhook names it", async () => {
  const { service, store } = openService({});
  await service.accounts.put(accountId, { email: "owner@example.com" });
  const target_url = "https://example.com/hooks";
  await service.webhooks.create(caller, { events: ["*"], target_url });
  const { webhook } = await service.webhooks.create(caller, { event: "order.paid", target_url });
  const creation = createEventRegistry({}, ["review.submitted"]);
  if (!creation.ok) throw new Error(JSON.stringify(creation.problems));
  const removed = { event: "order.paid", webhooks: 1, isCountedFully: true };
  expect(await findRemovedEvents(store, creation.registry)).toEqual([removed]);
  expect(await findRemovedEvents(store, specificationEvents)).toEqual([]);
  await service.webhooks.remove(accountId, webhook.id);
  expect(await findRemovedEvents(store, creation.registry)).toEqual([]);
});
