import process from "node:process";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { contactKey, createHookwright, mergeCustomer } from "hookwright";
import type { Order, PublishResult } from "hookwright";
import { blogPosts } from "./blog-posts.ts";
import { contacts } from "./contacts.ts";
import { DATA, database } from "./database.ts";
import { orders, saveOrder } from "./orders.ts";

const { HOOKWRIGHT_SECRET: secret = "" } = process.env;

const store = await openFilesystemStore({ directory: DATA }); // keys, webhooks, published records, deliveries
export const hookwright = await createHookwright({ store, secret, contacts, orders, blogPosts });

await hookwright.accounts.put("acc_bakery", { name: "Bakery", email: "owner@example.com" });
await hookwright.projects.put("site_shop", { account_id: "acc_bakery", name: "Shop" });

/** Saves the order, then its customer as a contact, then publishes the order. */
export async function placeOrder(project_id: string, order: Omit<Order, "id">): Promise<PublishResult> {
  const id = saveOrder("acc_bakery", { project_id, data: { ...order, id: "new" } });
  const key = contactKey(project_id, order.customer.email);
  const merge = mergeCustomer(order.customer);
  await contacts.upsert("acc_bakery", key, merge, { signal: AbortSignal.timeout(5_000) });
  return hookwright.publish({ event: "order.created", project_id, data: { ...order, id } });
}

/** Call it after the server is closed. */
export async function close(): Promise<void> {
  await hookwright.close();
  await store.close();
  database.close();
}
