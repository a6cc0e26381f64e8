import process from "node:process";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";

const { HOOKWRIGHT_SECRET = "for trials alone: 32 characters or more" } = process.env;

export const hookwright = await createHookwright({
  store: memoryStore(), // in earnest: await openFilesystemStore({ directory: "./data" })
  secret: HOOKWRIGHT_SECRET,
  basePath: "/integrations",
});

await hookwright.accounts.put("acc_bakery", { name: "Bakery", email: "owner@example.com" });
await hookwright.projects.put("site_shop", { account_id: "acc_bakery", name: "Shop" });
const { api_key } = await hookwright.apiKeys.create("acc_bakery", { name: "Example" });

/** What the shop does once a customer has written a review: it is kept, and delivered to whoever listens. */
export function submitReview(data: unknown) {
  return hookwright.publish({ event: "review.submitted", project_id: "site_shop", data });
}

export function announce(port: number): void {
  const url = `http://127.0.0.1:${port}/integrations/v1/me`;
  console.log(`Try: curl -H "Authorization: Bearer ${api_key}" ${url}`);
}
