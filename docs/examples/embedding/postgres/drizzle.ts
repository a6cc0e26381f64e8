import { drizzle } from "drizzle-orm/node-postgres";
import { json, pgTable, text } from "drizzle-orm/pg-core";
import type { Hookwright, Order } from "hookwright";
import type { Pool } from "pg";

const orders = pgTable("orders", { id: text().primaryKey(), data: json().notNull() });

export async function placeOrder(hookwright: Hookwright, pool: Pool, order: Order): Promise<void> {
  const client = await pool.connect();
  try {
    // Drizzle over one client: its transaction is the transaction of the client.
    await drizzle({ client }).transaction(async (tx) => {
      await tx.insert(orders).values({ id: order.id, data: order });
      const event = { event: "order.created", project_id: "site_shop", data: order } as const;
      await hookwright.publishInTransaction(client, event);
    });
  } finally {
    client.release();
  }
}
