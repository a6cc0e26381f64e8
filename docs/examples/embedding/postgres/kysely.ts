import type { Hookwright, Order } from "hookwright";
import { CompiledQuery } from "kysely";
import type { Kysely } from "kysely";

export interface Database {
  readonly orders: { readonly id: string; readonly data: string };
}

export async function placeOrder(hookwright: Hookwright, db: Kysely<Database>, order: Order): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = { id: order.id, data: JSON.stringify(order) };
    await trx.insertInto("orders").values(row).execute();
    const client = {
      query: (text: string, values: string[]) => trx.executeQuery(CompiledQuery.raw(text, values)),
    };
    const event = { event: "order.created", project_id: "site_shop", data: order } as const;
    await hookwright.publishInTransaction(client, event);
  });
}
