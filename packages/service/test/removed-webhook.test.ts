import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

it("a test of a webhook that is removed meanwhile is refused like one of an unknown webhook", async () => {
  let meanwhile: () => Promise<unknown> = async () => undefined;
  const { service } = openService({
    wrap: (store) => ({
      ...store,
      async getMany(keys) {
        if (keys.some((key) => key[1] === "signing-secret")) await meanwhile();
        return store.getMany(keys);
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
