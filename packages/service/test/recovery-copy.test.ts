import { expect, it } from "vitest";
import { readAccountRows } from "../src/accounts/account-rows.ts";
import { accountId } from "./support/fake-world.ts";
import { openRecoveries } from "./support/open-recoveries.ts";

it("a copy of an account has its recoveries, and a running one comes last", async () => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1");
  await opened.finish(await opened.recover());
  await opened.recoverer.close();
  await opened.recover();
  const lifetimes = new Map<string, number | undefined>();
  for await (const { key, lifetimeMs } of readAccountRows({ store: opened.world.store, accountId }))
    lifetimes.set(String(key[1]), lifetimeMs);
  const month = 30 * 24 * 60 * 60 * 1_000;
  expect([lifetimes.get("recovery"), lifetimes.get("recovery-of-webhook")]).toEqual([month, month]);
  expect([...lifetimes.keys()].slice(-2)).toEqual(["account", "recovery-running"]);
});

it("a copy of an account has its removed webhooks, which expire again", async () => {
  await using opened = await openRecoveries();
  const { webhookId, world } = opened;
  await opened.service.webhooks.remove(accountId, webhookId);
  const copied: (number | undefined)[] = [];
  for await (const { key, lifetimeMs } of readAccountRows({ store: world.store, accountId }))
    if (key[1] === "removed-webhook") copied.push(lifetimeMs);
  expect(copied).toEqual([30 * 24 * 60 * 60 * 1_000]);
});
