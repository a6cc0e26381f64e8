import { sampleDeliveryBody } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { expect, it } from "vitest";
import type { Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";

type Change = (service: Service, webhookId: string) => Promise<unknown>;

it.each<[what: string, change: Change, code: string]>([
  ["the webhook is paused", ({ webhooks }, id) => webhooks.pause("acc_1", id), "invalid_state"],
  ["the webhook is removed", ({ webhooks }, id) => webhooks.remove("acc_1", id), "invalid_state"],
  [
    "the account is suspended",
    ({ accounts }) => accounts.put("acc_1", { status: "suspended" }),
    "account_unavailable",
  ],
  [
    "the record is deleted",
    ({ records }) => records.remove("acc_1", "orders", "ord_1"),
    "resource_not_found",
  ],
])("a delivery is not sent again if %s at the same time", async (_, change, code) => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const { service, store } = openService({
    wrap: (inner) => ({
      ...inner,
      async commit(partition, commit) {
        const first = meanwhile;
        meanwhile = undefined;
        await first?.();
        return inner.commit(partition, commit);
      },
    }),
  });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: "acc_1" });
  const { webhook } = await service.webhooks.create(
    { accountId: "acc_1", credential: { type: "console" } },
    { event: "order.created", target_url: "https://example.com/hook" },
  );
  const data = { ...sampleDeliveryBody("order.created").data, id: "ord_1" };
  const published = await service.publish({ event: "order.created", project_id: "site_1", data });
  const [delivery = ""] = published.deliveries;
  meanwhile = () => change(service, webhook.id);
  await expect(service.deliveries.resend("acc_1", delivery)).rejects.toMatchObject({ code });
  expect(await store.list({ prefix: [partitionOf("acc_1"), "fresh"], limit: 10 })).toHaveLength(1);
});
