import { setImmediate } from "node:timers/promises";
import { keepCreatedAt } from "@hookwright/domain";
import { normaliseEmail } from "../../../src/index.ts";
import type {
  BlogPostRepository,
  ContactKey,
  ContactRepository,
  KeptBlogPost,
  KeptContact,
  Listed,
  ListPage,
  OrderRepository,
  SiteOrder,
} from "../../../src/index.ts";

interface Kept<Row> {
  readonly accountId: string;
  readonly number: number;
  readonly row: Row;
}

export interface HostDatabase {
  readonly contacts: ContactRepository;
  readonly orders: OrderRepository;
  readonly blogPosts: BlogPostRepository;
  /** The functions with which the host's program creates, replaces and removes an order. */
  keepOrder(accountId: string, order: SiteOrder): void;
  removeOrder(orderId: string): void;
}

/** A host's own database. Every query takes some time, and transactions run one at a time. */
export function createHostDatabase(now: () => number): HostDatabase {
  let contacts: Kept<KeptContact>[] = [];
  let orders: Kept<SiteOrder>[] = [];
  const posts: Kept<KeptBlogPost>[] = [];
  let number = 0;
  let last: Promise<unknown> = Promise.resolve();

  function inTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  return {
    contacts: {
      async get(accountId, contactId) {
        await setImmediate();
        return contacts.find((kept) => kept.accountId === accountId && kept.row.id === contactId)?.row;
      },
      async list(accountId, { project_id, email }, page) {
        await setImmediate();
        const wanted = contacts.filter(
          ({ row, ...kept }) =>
            kept.accountId === accountId &&
            (project_id ?? row.project_id) === row.project_id &&
            (email ?? row.email) === row.email,
        );
        return toPage(
          wanted.map((kept) => ({ position: [kept.number], row: kept.row })),
          page,
        );
      },
      upsert: (accountId, key, merge) =>
        inTransaction(async () => {
          const stored = contacts.find((kept) => kept.accountId === accountId && isContact(kept.row, key));
          await setImmediate();
          const { fields, changed } = merge(stored?.row);
          if (stored !== undefined && !changed) return stored.row;
          const time = new Date(now());
          const contact: KeptContact = {
            id: stored?.row.id ?? `person-${number + 1}`,
            ...key,
            ...fields,
            created_at: stored?.row.created_at ?? time,
            updated_at: time,
          };
          contacts = contacts.filter((kept) => kept !== stored);
          contacts.push({ accountId, number: stored?.number ?? ++number, row: contact });
          return contact;
        }),
    },

    orders: {
      async get(accountId, orderId) {
        await setImmediate();
        return orders.find((kept) => kept.accountId === accountId && kept.row.data.id === orderId)?.row;
      },
      async list(accountId, filters, page) {
        await setImmediate();
        const wanted = orders.filter(
          ({ row: { project_id, data }, ...kept }) =>
            kept.accountId === accountId &&
            (filters.project_id ?? project_id) === project_id &&
            (filters.number ?? data.number) === data.number &&
            (filters.status ?? data.status) === data.status &&
            (filters.email ?? normaliseEmail(data.customer.email)) === normaliseEmail(data.customer.email),
        );
        return toPage(
          wanted.map((kept) => ({
            position: [timeOf(kept.row), kept.number],
            row: kept.row,
          })),
          page,
        );
      },
    },

    blogPosts: {
      create: (accountId, draft, { slugs, limit }) =>
        inTransaction(async () => {
          const ofSite = posts.filter(({ row }) => row.project_id === draft.project_id);
          await setImmediate();
          if (limit !== null && ofSite.length >= limit) return "plan_limit_reached";
          const taken = new Set(ofSite.map(({ row }) => row.slug));
          let slug = "";
          for (slug of slugs) if (!taken.has(slug)) break;
          const time = new Date(now());
          const post: KeptBlogPost = {
            id: String(++number),
            ...draft,
            slug,
            created_at: time,
            updated_at: time,
          };
          posts.push({ accountId, number, row: post });
          return post;
        }),
    },

    keepOrder(accountId, order) {
      const known = orders.find((kept) => kept.accountId === accountId && kept.row.data.id === order.data.id);
      orders = orders.filter((kept) => kept !== known);
      // An order without milliseconds keeps its position within its second.
      const { createdAt } = keepCreatedAt(known === undefined ? undefined : timeOf(known.row), {
        data: order.data,
        createdAt: timeOf(order),
        hasCreatedAt: true,
      });
      const row = { ...order, data: { ...order.data, created_at: new Date(createdAt).toISOString() } };
      orders.push({ accountId, number: known?.number ?? ++number, row });
    },
    removeOrder(orderId) {
      orders = orders.filter(({ row }) => row.data.id !== orderId);
    },
  };
}

function timeOf({ data }: SiteOrder): number {
  return new Date(data.created_at).getTime();
}

function isContact(contact: KeptContact, { project_id, email }: ContactKey): boolean {
  return contact.project_id === project_id && contact.email === email;
}

/** Newest first, after the end of the previous page. */
function toPage<Row>(listed: readonly Listed<Row>[], { limit, after }: ListPage): Listed<Row>[] {
  return listed
    .toSorted((one, other) => compare(other.position, one.position))
    .filter(({ position }) => after === undefined || compare(position, after) < 0)
    .slice(0, limit);
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  const place = one.findIndex((part, index) => part !== other[index]);
  return place < 0 ? 0 : Number(one[place]) - Number(other[place]);
}
