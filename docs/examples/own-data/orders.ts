import { normaliseEmail } from "hookwright";
import type { KeptOrder, OrderRepository, SiteOrder } from "hookwright";
import { database } from "./database.ts";

const byId = database.prepare("SELECT site, data FROM orders WHERE account = ? AND id = ?");
const page = database.prepare(`
  SELECT number, placed_at, site, data FROM orders
  WHERE account = :account AND (placed_at, number) < (:placedAt, :number)
    AND site = ifnull(:site, site) AND email = ifnull(:email, email)
    AND (:orderNumber IS NULL OR data ->> '$.number' = :orderNumber)
    AND (:status IS NULL OR data ->> '$.status' = :status)
  ORDER BY placed_at DESC, number DESC LIMIT :limit`);
const save = database.prepare(`
  INSERT INTO orders (account, site, id, placed_at, email, data) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (account, id) DO UPDATE SET
    site = excluded.site, placed_at = excluded.placed_at, email = excluded.email, data = excluded.data`);

const end = 2 ** 53 - 1;

export const orders: OrderRepository = {
  get(account, id) {
    const row = byId.get(account, id);
    return row === undefined ? undefined : toOrder(row);
  },

  list(account, filters, { limit, after: [placedAt = end, number = end] = [] }) {
    const { project_id: site = null, email = null, number: orderNumber = null, status = null } = filters;
    const rows = page.all({ account, site, email, orderNumber, status, placedAt, number, limit });
    return rows.map((row) => ({
      position: [Number(row["placed_at"]), Number(row["number"])],
      row: toOrder(row),
    }));
  },
};

/** What the shop does with an order of its own. */
export function saveOrder(account: string, { project_id, data }: SiteOrder): void {
  const placedAt = new Date(data.created_at).getTime();
  const email = normaliseEmail(data.customer.email);
  save.run(account, project_id, data.id, placedAt, email, JSON.stringify(data));
}

function toOrder(row: Record<string, unknown>): KeptOrder {
  return { project_id: String(row["site"]), data: JSON.parse(String(row["data"])) };
}
