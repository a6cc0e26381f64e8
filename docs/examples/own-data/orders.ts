import { normaliseEmail } from "hookwright";
import type { KeptOrder, OrderRepository, SiteOrder } from "hookwright";
import { database, toNumber } from "./database.ts";

const byId = database.prepare("SELECT id, site, data FROM orders WHERE account = ? AND id = ?");
const page = database.prepare(`
  SELECT id, placed_at, site, data FROM orders
  WHERE account = :account AND (placed_at, id) < (:placedAt, :id)
    AND site = ifnull(:site, site) AND email = ifnull(:email, email)
    AND (:number IS NULL OR data ->> '$.number' = :number)
    AND (:status IS NULL OR data ->> '$.status' = :status)
  ORDER BY placed_at DESC, id DESC LIMIT :limit`);
const save = database.prepare(`
  INSERT INTO orders (id, account, site, placed_at, email, data) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET
    site = excluded.site, placed_at = excluded.placed_at, email = excluded.email, data = excluded.data
  RETURNING id`);

const end = 2 ** 53 - 1;

export const orders: OrderRepository = {
  get(account, id) {
    const row = byId.get(account, toNumber(id));
    return row === undefined ? undefined : toOrder(row);
  },

  list(account, filters, { limit, after: [placedAt = end, id = end] = [] }) {
    const { project_id: site = null, email = null, number = null, status = null } = filters;
    const rows = page.all({ account, site, email, number, status, placedAt, id, limit });
    return rows.map((row) => ({
      position: [Number(row["placed_at"]), Number(row["id"])],
      row: toOrder(row),
    }));
  },
};

/** Saves an order, as the shop does. Returns its id, which the database assigns if the order has no number as its id. */
export function saveOrder(account: string, { project_id, data }: SiteOrder): string {
  const placedAt = new Date(data.created_at).getTime();
  const email = normaliseEmail(data.customer.email);
  const row = save.get(toNumber(data.id), account, project_id, placedAt, email, JSON.stringify(data));
  return String(row?.["id"]);
}

function toOrder({ id, site, data }: Record<string, unknown>): KeptOrder {
  return { project_id: String(site), data: { ...JSON.parse(String(data)), id: String(id) } };
}
