import process from "node:process";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { createHookwright, isHookwrightError, validateEvent } from "hookwright";

const { HOOKWRIGHT_SECRET: secret = "", HOOKWRIGHT_PRIVATE_TARGETS, DATA = "./data" } = process.env;

const store = await openFilesystemStore({ directory: DATA });
export const hookwright = await createHookwright({
  store,
  secret,
  basePath: "/integrations",
  privateTargets: HOOKWRIGHT_PRIVATE_TARGETS === "allow", // permits webhooks to http: and to this machine, for trials
});

// `put` creates or updates, so this may run at every start.
await hookwright.accounts.put("acc_bakery", { name: "Bakery", email: "owner@example.com" });
await hookwright.projects.put("site_shop", { account_id: "acc_bakery", name: "Shop" });

// An API key is shown only once, so it is created only once.
const keys = await hookwright.apiKeys.list("acc_bakery", { limit: 1 });
if (keys.rows.length === 0) {
  const { api_key } = await hookwright.apiKeys.create("acc_bakery", { name: "Example" });
  console.log(`API key, shown only now: ${api_key}`);
}

/** Stores a customer's review and queues its deliveries. */
export async function submitReview(data: unknown): Promise<{ status: number; text: string }> {
  try {
    // `publish` is typed by its event. This validates external input, and throws if it is not a review.
    const { input } = validateEvent({ event: "review.submitted", project_id: "site_shop", data });
    const { id } = await hookwright.publish(input);
    return { status: 201, text: id };
  } catch (error) {
    // The review is invalid. The message names the field and can be shown to the customer.
    if (isHookwrightError(error)) return { status: error.status, text: error.message };
    console.error(error); // for example, the disk is full
    return { status: 500, text: "The review was not stored. Please try again later." };
  }
}

export function announce(port: number): void {
  console.log(`The API is at http://127.0.0.1:${port}/integrations`);
}

/** Call it after the server is closed. */
export async function close(): Promise<void> {
  await hookwright.close();
  await store.close();
}
