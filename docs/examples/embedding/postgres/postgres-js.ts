import type { Hookwright, Order } from "hookwright";
import type { Sql } from "postgres";

export async function placeOrder(hookwright: Hookwright, sql: Sql, order: Order): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`insert into orders (id, data) values (${order.id}, ${JSON.stringify(order)})`;
    const client = { query: (text: string, values: string[]) => tx.unsafe(text, values) };
    const event = { event: "order.created", project_id: "site_shop", data: order } as const;
    await hookwright.publishInTransaction(client, event);
  });
}
