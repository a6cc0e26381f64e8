import { randomBytes } from "node:crypto";
import process from "node:process";
import { memoryStore } from "@hookwright/storage/memory";
import { contactKey, createHookwright, mergeCustomer } from "hookwright";
import type { Order, PublishResult } from "hookwright";
import { blogPosts } from "./blog-posts.ts";
import { contacts } from "./contacts.ts";
import { orders, saveOrder } from "./orders.ts";

const { HOOKWRIGHT_SECRET = randomBytes(32).toString("base64") } = process.env; // in earnest it is set, and stays the same

export const hookwright = await createHookwright({
  store: memoryStore(), // keys, webhooks, deliveries and what they carry: in earnest, openFilesystemStore
  secret: HOOKWRIGHT_SECRET,
  contacts,
  orders,
  blogPosts,
});

await hookwright.accounts.put("acc_bakery", { name: "Bakery", email: "owner@example.com" });
await hookwright.projects.put("site_shop", { account_id: "acc_bakery", name: "Shop" });

/** An order is the shop's first, and its customer a contact; then whoever listens is told. */
export async function placeOrder(project_id: string, data: Order): Promise<PublishResult> {
  const { customer } = data;
  saveOrder("acc_bakery", { project_id, data });
  const key = contactKey(project_id, customer.email);
  await contacts.upsert("acc_bakery", key, mergeCustomer(customer), { signal: AbortSignal.timeout(5_000) });
  return hookwright.publish({ event: "order.created", project_id, data });
}
