import { expect, it } from "vitest";
import { deliveryStoreRules } from "../src/store-rules.ts";
import { keys } from "../src/storage/keys.ts";
import { accountId, createWorld, event } from "./support/fake-world.ts";

it("the limits and the order of a webhook are checked, and may be absent, as in rows of earlier versions", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const key = keys.webhook({ accountId, event, webhookId: "wh_1" });
  const row: object = JSON.parse((await world.store.get(key)) ?? "");
  const check = (fields: object) => () =>
    deliveryStoreRules["webhook"]?.({ key, value: JSON.stringify({ ...row, ...fields }) });
  const all = { max_per_second: 1_000, host_max_per_second: 1, ordered: true };
  for (const intact of [{}, { max_per_second: null }, all]) expect(check(intact)).not.toThrow();
  for (const fields of [
    { max_per_second: 0 },
    { host_max_per_second: "5" },
    { max_per_second: 1.5 },
    { ordered: "yes" },
  ])
    expect(check(fields)).toThrow(TypeError);
});
