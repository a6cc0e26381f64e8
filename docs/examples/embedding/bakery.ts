import { randomBytes } from "node:crypto";
import process from "node:process";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright, isHookwrightError } from "hookwright";

const { HOOKWRIGHT_SECRET = randomBytes(32).toString("base64") } = process.env; // in earnest it is set, and stays the same

export const hookwright = await createHookwright({
  store: memoryStore(), // in earnest: await openFilesystemStore({ directory: "./data" })
  secret: HOOKWRIGHT_SECRET,
  basePath: "/integrations",
});

await hookwright.accounts.put("acc_bakery", { name: "Bakery", email: "owner@example.com" });
await hookwright.projects.put("site_shop", { account_id: "acc_bakery", name: "Shop" });
const { api_key } = await hookwright.apiKeys.create("acc_bakery", { name: "Example" });

/** What the shop does once a customer has written a review: it is kept, and delivered to whoever listens. */
export async function submitReview(data: unknown): Promise<{ status: number; text: string }> {
  try {
    const { id } = await hookwright.publish({ event: "review.submitted", project_id: "site_shop", data });
    return { status: 201, text: id };
  } catch (error) {
    // Refused: the message says what is wrong with the review, in words for whoever sent it.
    if (isHookwrightError(error)) return { status: error.status, text: error.message };
    console.error(error); // our own fault, such as a store that is away
    return { status: 500, text: "The review was not kept. Please try again later." };
  }
}

export function announce(port: number): void {
  const url = `http://127.0.0.1:${port}/integrations/v1/me`;
  console.log(`Try: curl -H "Authorization: Bearer ${api_key}" ${url}`);
}
