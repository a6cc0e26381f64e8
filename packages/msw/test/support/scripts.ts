import { badRequests } from "./scripts/bad-requests.ts";
import { blogPosts } from "./scripts/blog-posts.ts";
import { contacts } from "./scripts/contacts.ts";
import { edge } from "./scripts/edge.ts";
import { lists } from "./scripts/lists.ts";
import { orders } from "./scripts/orders.ts";
import { standing } from "./scripts/standing.ts";
import { subscribers } from "./scripts/subscribers.ts";
import { webhooks } from "./scripts/webhooks.ts";
import type { Script } from "./scripts/script.ts";

/**
 * The requests to the service and the mock. Each script begins with an account with the sites `site_1` and
 * `site_2`.
 */
export const scripts: Readonly<Record<string, Script>> = {
  "routes, keys and methods": edge,
  "what the account may do": standing,
  "bodies and queries that are wrong": badRequests,
  "lists and cursors": lists,
  contacts,
  subscribers,
  "blog posts": blogPosts,
  webhooks,
  "orders, samples and what records add": orders,
};
