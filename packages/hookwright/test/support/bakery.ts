import { sampleDeliveryBody } from "@hookwright/domain";
import type { Hookwright } from "../../src/create-hookwright.ts";

export const secret = "a test secret of 32 characters!!";

/** An account with a site, and a webhook for its reviews. */
export async function openBakery(hookwright: Hookwright, targetUrl: string) {
  await hookwright.accounts.put("acc_bakery", { email: "owner@example.com" });
  await hookwright.projects.put("site_shop", { account_id: "acc_bakery", name: "Shop" });
  const { api_key: apiKey } = await hookwright.apiKeys.create("acc_bakery", { name: "First" });
  const { webhook } = await hookwright.webhooks.create(
    { accountId: "acc_bakery", credential: { type: "console" } },
    { event: "review.submitted", target_url: targetUrl },
  );
  return { apiKey, webhook };
}

export function publishReview(hookwright: Hookwright, id: string) {
  const data = { ...sampleDeliveryBody("review.submitted").data, id };
  return hookwright.publish({ event: "review.submitted", project_id: "site_shop", data });
}
