import { listOldestLogged } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import type { Arrival } from "./endpoints.ts";
import { accountIds } from "./operations.ts";
import type { Simulation } from "./simulation.ts";

/** A delivery as in the log (or before it was swept), with its requests as endpoints received them. */
export interface Judged {
  readonly accountId: string;
  readonly row: DeliveryRow;
  readonly sweptAt: number | undefined;
  readonly arrivals: readonly Arrival[];
}

export async function readDeliveries({ store, endpoints, history }: Simulation): Promise<readonly Judged[]> {
  const all: Judged[] = [];

  function add(accountId: string, row: DeliveryRow, sweptAt?: number): void {
    const arrivals = endpoints.arrivals.filter(({ deliveryId }) => deliveryId === row.id);
    all.push({ accountId, row, sweptAt, arrivals });
  }

  for (const { accountId, row, at } of history.swept) add(accountId, row, at);
  for (const accountId of accountIds) {
    for (const logged of await listOldestLogged(store, accountId, { limit: 100_000 })) {
      if ("error" in logged) throw logged.error;
      add(accountId, logged.delivery);
    }
  }
  return all;
}
