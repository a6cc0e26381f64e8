import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import type { Hookwright } from "../src/create-hookwright.ts";
import { secret } from "./support/bakery.ts";

async function open(): Promise<Hookwright> {
  const hookwright = await createHookwright({ store: memoryStore(), secret, role: "api" });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  return hookwright;
}

it("changing a returned plan affects neither that account nor the default plan", async () => {
  await using hookwright = await open();
  const { account } = await hookwright.accounts.put("acc_2", { email: "other@example.com" });
  account.plan.crm = false;
  (await hookwright.accounts.get("acc_1")).plan.integrations = false;
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "Tool" });
  const request = new Request("http://localhost/v1/me", { headers: { authorization: `Bearer ${key}` } });
  expect((await hookwright.fetch(request)).status).toBe(200);
  const made = await hookwright.accounts.put("acc_3", { email: "third@example.com" });
  expect(made.account.plan).toMatchObject({ integrations: true, crm: true });
});

it("changing returned event types affects no later result", async () => {
  await using hookwright = await open();
  for (const { sample } of hookwright.eventTypes.list()) sample.data["id"] = "changed";
  const { data } = hookwright.eventTypes.list()[0]?.sample ?? {};
  expect(data).toMatchObject({ id: "ord_1001" });
});
