import { severalEventsKey } from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import { expect, it } from "vitest";
import { checkStore } from "../src/store-check/check-store.ts";
import { accountId } from "./support/fake-world.ts";
import { openService } from "./support/open-service.ts";

const caller = { accountId, credential: { type: "console" } } as const;

it("a webhook of several events that an old version removed is no damage, and leaves the index", async () => {
  const { service, store } = openService();
  await service.accounts.put(accountId, { email: "owner@example.com" });
  const create = async (input: object) => (await service.webhooks.create(caller, input)).webhook.id;
  const partition = partitionOf(accountId);
  const removeByOldVersion = (webhookId: string) =>
    store.commit(partition, {
      mutations: [
        { type: "delete", key: [partition, "webhook", accountId, "*", webhookId] },
        { type: "delete", key: [partition, "signing-secret", accountId, webhookId] },
      ],
    });
  const readIndex = () => store.get(severalEventsKey(accountId));

  const gone = await create({ events: ["*"], target_url: "https://example.com/a" });
  const kept = await create({ events: ["order.created", "order.paid"], target_url: "https://example.com/b" });
  await removeByOldVersion(gone);
  const damage: unknown[] = [];
  await checkStore({ store, onDamage: (found) => void damage.push(found) });
  expect(damage).toEqual([]);
  await create({ event: "order.paid", target_url: "https://example.com/c" });
  expect(JSON.parse((await readIndex()) ?? "null")).toEqual([["*", kept]]);

  await removeByOldVersion(kept);
  await create({ event: "order.paid", target_url: "https://example.com/d" });
  expect(await readIndex()).toBeUndefined();
});
