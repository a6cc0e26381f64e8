import { sampleDeliveryBody } from "@hookwright/domain";
import type { KeptContact } from "@hookwright/domain";
import type { BlogPostRepository } from "../../src/repositories/blog-post-repository.ts";
import type { ContactRepository } from "../../src/repositories/contact-repository.ts";
import type { OrderRepository } from "../../src/repositories/order-repository.ts";
import type { Listed, ListPage } from "../../src/repositories/repository.ts";
import { openService } from "./open-service.ts";

export const order = sampleDeliveryBody("order.created").data;

export function contactOf(id: string, changes: Partial<KeptContact> = {}): KeptContact {
  const time = new Date("2026-11-20T09:30:00.750Z");
  const unset = { name: null, phone: null, notes: null, tags: [] };
  const email = `${id}@example.com`;
  return { id, project_id: "site_1", email, ...unset, created_at: time, updated_at: time, ...changes };
}

/** A row that may have an invalid type, as from an untyped program. */
export function listed(row: unknown, position: unknown = ["a"]): Listed<KeptContact> {
  return JSON.parse(JSON.stringify({ position, row }));
}

/** Lists the contacts `c`, `b` and `a` after the position `after`. */
export function listThree(
  _accountId: string,
  _filters: object,
  { limit, after }: ListPage,
): Listed<KeptContact>[] {
  const all = ["c", "b", "a"].map((id) => ({ position: [id], row: contactOf(id) }));
  return all.filter(({ position: [id = ""] }) => id < String(after?.[0] ?? "z")).slice(0, limit);
}

export const contacts: ContactRepository = {
  get: (_accountId, id) => contactOf(id),
  list: listThree,
  upsert: (_accountId, key, merge) => contactOf("new", { ...key, ...merge(undefined).fields }),
};

export const orders: OrderRepository = {
  get: (_accountId, id) => ({ project_id: "site_1", data: { ...order, id } }),
  list: () => [],
};

export const blogPosts: BlogPostRepository = {
  create(_accountId, draft, { slugs }) {
    const [slug = ""] = slugs;
    const time = "2026-11-20T10:30:00+01:00";
    return { id: "7", ...draft, slug, created_at: time, updated_at: time };
  },
};

/** Opens a service with two accounts. The first has `site_1`, the second has `site_2`. */
export async function openShop(options: Parameters<typeof openService>[0]) {
  const opened = openService(options);
  for (const number of [1, 2]) {
    const account_id = `acc_${number}`;
    await opened.service.accounts.put(account_id, { email: "owner@example.com" });
    await opened.service.projects.put(`site_${number}`, { account_id, name: "Shop" });
  }
  return opened;
}

export const page = { limit: 2 };
export const write = { project_id: "site_1", email: "Ada@example.com", name: "Ada" };
export const draft = { project_id: "site_1", title: "Opening hours" };
