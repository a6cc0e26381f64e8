import { keys } from "@hookwright/delivery";
import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

it("a test of a webhook that is removed meanwhile is refused as one of a webhook that there is not", async () => {
  let meanwhile: () => Promise<unknown> = async () => undefined;
  const { service } = openService({
    wrap: (store) => ({
      ...store,
      async get(key) {
        if (key[1] === keys.signingSecret("acc_1", "")[1]) await meanwhile();
        return store.get(key);
      },
    }),
  });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: "acc_1" });
  const { webhook } = await service.webhooks.create(
    { accountId: "acc_1", credential: { type: "console" } },
    { event: "order.paid", target_url: "https://example.com/hook" },
  );
  meanwhile = () => service.webhooks.remove("acc_1", webhook.id);
  await expect(service.webhooks.sendTest("acc_1", webhook.id)).rejects.toMatchObject({
    code: "resource_not_found",
  });
});
