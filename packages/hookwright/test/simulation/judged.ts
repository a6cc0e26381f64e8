import { keys, parseDeliveryRow } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import type { Arrival } from "./endpoints.ts";
import { accountIds } from "./operations.ts";
import type { Simulation } from "./simulation.ts";

/** A delivery as the log shows it, and as endpoints saw it. */
export interface Judged {
  readonly accountId: string;
  readonly row: DeliveryRow;
  readonly arrivals: readonly Arrival[];
}

export async function readDeliveries({ store, endpoints }: Simulation): Promise<readonly Judged[]> {
  const all: Judged[] = [];
  for (const accountId of accountIds) {
    for (const { value } of await store.list({ prefix: keys.deliveries(accountId), limit: 100_000 })) {
      const row = parseDeliveryRow(value);
      const arrivals = endpoints.arrivals.filter(({ deliveryId }) => deliveryId === row.id);
      all.push({ accountId, row, arrivals });
    }
  }
  return all;
}
