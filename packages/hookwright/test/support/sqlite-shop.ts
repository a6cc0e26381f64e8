import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { normaliseEmail } from "../../src/index.ts";
import type {
  BlogPostRepository,
  ContactRepository,
  KeptContact,
  KeptOrder,
  OrderRepository,
  SiteOrder,
} from "../../src/index.ts";
import type { ContractAccounts } from "../../src/repository-contract.ts";

export type IdKind = "integer" | "uuid";

export interface SqliteShop {
  readonly contacts: ContactRepository;
  readonly orders: OrderRepository;
  readonly blogPosts: BlogPostRepository;
  /** Creates accounts and sites. The database assigns their ids. */
  addAccounts(): ContractAccounts;
  /** Saves an order and returns its id, which the database assigns to a new order. */
  insertOrUpdate(account: string, order: SiteOrder): string | number;
  /** Saves an order with its own id. */
  upsert(account: string, order: SiteOrder): void;
  newOrderId(): string | number;
}

type Key = string | number;

/**
 * A shop with foreign keys. Its ids are integers or UUIDs in strict columns. A text that is not such an id makes it
 * throw, as in PostgreSQL.
 */
export function createSqliteShop(kind: IdKind): SqliteShop {
  const database = new DatabaseSync(":memory:");
  const type = kind === "integer" ? "INTEGER" : "TEXT";
  database.exec(`
    CREATE TABLE accounts (id ${type} PRIMARY KEY) STRICT;
    CREATE TABLE sites (id ${type} PRIMARY KEY, account ${type} NOT NULL REFERENCES accounts (id)) STRICT;
    CREATE TABLE contacts (
      id ${type} PRIMARY KEY, account ${type} NOT NULL REFERENCES accounts (id),
      site ${type} NOT NULL REFERENCES sites (id), email TEXT NOT NULL, contact TEXT NOT NULL,
      created_at INTEGER NOT NULL, UNIQUE (site, email)
    ) STRICT;
    CREATE TABLE orders (
      id ${type} PRIMARY KEY, account ${type} NOT NULL REFERENCES accounts (id),
      site ${type} NOT NULL REFERENCES sites (id), placed_at INTEGER NOT NULL, email TEXT NOT NULL, data TEXT NOT NULL
    ) STRICT;
    CREATE TABLE posts (
      id ${type} PRIMARY KEY, site ${type} NOT NULL REFERENCES sites (id), slug TEXT NOT NULL, UNIQUE (site, slug)
    ) STRICT;
  `);
  const lastIds = new Map<string, number>();

  function nextId(table: string): Key {
    if (kind === "uuid") return randomUUID();
    const id = (lastIds.get(table) ?? 0) + 1;
    lastIds.set(table, id);
    return id;
  }

  /** Undefined for a text that is not an id of this database. */
  function toKey(text: string): Key | undefined {
    if (kind === "uuid") return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u.test(text) ? text : undefined;
    const number = Number(text);
    return Number.isSafeInteger(number) && String(number) === text ? number : undefined;
  }

  function expectKey(text: string): Key {
    const key = toKey(text);
    if (key === undefined) throw new TypeError(`invalid input syntax for type ${kind}: "${text}"`);
    return key;
  }

  function inTransaction<Result>(work: () => Result): Result {
    database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }

  const orderById = database.prepare("SELECT id, site, data FROM orders WHERE account = ? AND id = ?");
  const orderPage = database.prepare(`
    SELECT id, placed_at, site, data FROM orders
    WHERE account = :account AND (:after IS NULL OR (placed_at, id) < (:placedAt, :after))
      AND site = ifnull(:site, site) AND email = ifnull(:email, email)
      AND (:orderNumber IS NULL OR data ->> '$.number' = :orderNumber)
      AND (:status IS NULL OR data ->> '$.status' = :status)
    ORDER BY placed_at DESC, id DESC LIMIT :limit`);
  const saveOrder = database.prepare(`
    INSERT INTO orders (id, account, site, placed_at, email, data) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      site = excluded.site, placed_at = excluded.placed_at, email = excluded.email, data = excluded.data`);
  const contactById = database.prepare("SELECT contact FROM contacts WHERE account = ? AND id = ?");
  const contactByEmail = database.prepare("SELECT contact FROM contacts WHERE site = ? AND email = ?");
  const contactPage = database.prepare(`
    SELECT id, created_at, contact FROM contacts
    WHERE account = :account AND (:after IS NULL OR (created_at, id) < (:createdAt, :after))
      AND site = ifnull(:site, site) AND email = ifnull(:email, email)
    ORDER BY created_at DESC, id DESC LIMIT :limit`);
  const saveContact = database.prepare(`
    INSERT INTO contacts (id, account, site, email, contact, created_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (site, email) DO UPDATE SET contact = excluded.contact`);
  const postCount = database.prepare("SELECT count(*) AS posts FROM posts WHERE site = ?");
  const postBySlug = database.prepare("SELECT 1 FROM posts WHERE site = ? AND slug = ?");
  const savePost = database.prepare("INSERT INTO posts (id, site, slug) VALUES (?, ?, ?)");

  function store(id: Key, account: string, { project_id, data }: SiteOrder): void {
    const placedAt = new Date(data.created_at).getTime();
    const email = normaliseEmail(data.customer.email);
    const row = JSON.stringify({ ...data, id: undefined });
    saveOrder.run(id, expectKey(account), expectKey(project_id), placedAt, email, row);
  }

  return {
    addAccounts() {
      const [first, second] = [nextId("accounts"), nextId("accounts")];
      const sites = [nextId("sites"), nextId("sites"), nextId("sites")] as const;
      for (const id of [first, second]) database.prepare("INSERT INTO accounts VALUES (?)").run(id);
      for (const [index, id] of sites.entries())
        database.prepare("INSERT INTO sites VALUES (?, ?)").run(id, index < 2 ? first : second);
      return {
        accountId: String(first),
        sites: [String(sites[0]), String(sites[1])],
        otherAccountId: String(second),
        otherSite: String(sites[2]),
      };
    },
    newOrderId: () => nextId("orders"),
    upsert: (account, order) => store(expectKey(order.data.id), account, order),
    insertOrUpdate(account, order) {
      const key = toKey(order.data.id);
      const isKnown = key !== undefined && orderById.get(expectKey(account), key) !== undefined;
      const id = isKnown ? key : nextId("orders");
      store(id, account, order);
      return id;
    },

    orders: {
      get(account, id) {
        const key = toKey(id);
        const row = key === undefined ? undefined : orderById.get(expectKey(account), key);
        return row === undefined ? undefined : toOrder(row);
      },
      list(account, filters, { limit, after: [placedAt = 0, after = null] = [] }) {
        const { project_id, email = null, number: orderNumber = null, status = null } = filters;
        const site = project_id === undefined ? null : expectKey(project_id);
        const given = { account: expectKey(account), site, email, orderNumber, status };
        return orderPage.all({ ...given, placedAt, after, limit }).map((row) => ({
          position: [Number(row["placed_at"]), toKeyOf(row)],
          row: toOrder(row),
        }));
      },
    },

    contacts: {
      get(account, id) {
        const key = toKey(id);
        const row = key === undefined ? undefined : contactById.get(expectKey(account), key);
        return row === undefined ? undefined : toContact(row);
      },
      list(account, { project_id, email = null }, { limit, after: [createdAt = 0, after = null] = [] }) {
        const site = project_id === undefined ? null : expectKey(project_id);
        const rows = contactPage.all({ account: expectKey(account), site, email, createdAt, after, limit });
        return rows.map((row) => ({
          position: [Number(row["created_at"]), toKeyOf(row)],
          row: toContact(row),
        }));
      },
      upsert: (account, { project_id, email }, merge) =>
        inTransaction(() => {
          const site = expectKey(project_id);
          const row = contactByEmail.get(site, email);
          const stored = row === undefined ? undefined : toContact(row);
          const { fields, changed } = merge(stored);
          if (stored !== undefined && !changed) return stored;
          const now = new Date();
          const id = stored === undefined ? nextId("contacts") : expectKey(String(stored.id));
          const created_at = stored?.created_at ?? now.toISOString();
          const times = { created_at, updated_at: now.toISOString() };
          const contact = { id: String(id), project_id, email, ...fields, ...times };
          const createdAt = new Date(created_at).getTime();
          saveContact.run(id, expectKey(account), site, email, JSON.stringify(contact), createdAt);
          return contact;
        }),
    },

    blogPosts: {
      create: (_account, draft, { slugs, limit }) =>
        inTransaction(() => {
          const site = expectKey(draft.project_id);
          if (limit !== null && Number(postCount.get(site)?.["posts"]) >= limit) return "plan_limit_reached";
          let slug = "";
          for (slug of slugs) if (postBySlug.get(site, slug) === undefined) break;
          const id = nextId("posts");
          savePost.run(id, site, slug);
          const now = new Date();
          return { id: String(id), ...draft, slug, created_at: now, updated_at: now };
        }),
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

function toKeyOf({ id }: Row): Key {
  return typeof id === "number" ? id : String(id);
}

function toOrder({ id, site, data }: Row): KeptOrder {
  return { project_id: String(site), data: { ...JSON.parse(String(data)), id: String(id) } };
}

function toContact({ contact }: Row): KeptContact {
  return JSON.parse(String(contact));
}
