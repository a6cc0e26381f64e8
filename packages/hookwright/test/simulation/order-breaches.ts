import type { DeliveryRow } from "@hookwright/delivery";
import { orderedEndpoint, urlOf } from "./endpoints.ts";
import type { Judged } from "./judged.ts";
import type { Simulation } from "./simulation.ts";

export function isOrdered({ target_url: url }: DeliveryRow): boolean {
  return url === urlOf(orderedEndpoint);
}

/**
 * The requests of an ordered webhook are in the order of publishing: all of one delivery come before the first of the next. A process
 * that was stopped may send its last request late. Publications at the same time may be in any order.
 */
export function findDisorder({ history, network }: Simulation, all: readonly Judged[]): string[] {
  const byId = new Map(all.filter(({ row }) => isOrdered(row)).map((one) => [one.row.id, one]));
  const published = history.publications.flatMap(({ askedAt, doneAt, deliveries }) =>
    deliveries.flatMap((id) => {
      const judged = byId.get(id);
      if (judged === undefined) return [];
      const sent = judged.arrivals
        .filter(
          ({ processId, sentAt }) =>
            !network.disruptions.some(
              (one) => one.processId === processId && one.from < sentAt && one.to > sentAt - 300,
            ),
        )
        .map(({ sentAt }) => sentAt);
      return sent.length === 0 ? [] : [{ row: judged.row, askedAt, doneAt, sent }];
    }),
  );
  return published.flatMap(({ row, doneAt, sent }) =>
    published
      .filter(
        (next) =>
          next.row.webhook_id === row.webhook_id &&
          doneAt !== undefined &&
          doneAt < next.askedAt &&
          Math.min(...next.sent) < Math.max(...sent),
      )
      .map((next) => `${next.row.id}: sent before ${row.id}, which was published earlier, had ended`),
  );
}
