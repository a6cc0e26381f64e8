import { listWebhooks } from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Key } from "@hookwright/storage";
import type { History } from "./history.ts";
import type { Judged } from "./judged.ts";
import { urlOf } from "./endpoints.ts";
import type { Simulation } from "./simulation.ts";

/** A job must send each event once to a webhook, however often its process dies. */
export function findSentTwice({ sentByJobs }: History): string[] {
  const known = new Set<string>();
  return sentByJobs.flatMap(({ jobId, row }) => {
    const sent = [jobId, row.webhook_id, row.event, row.record_id, row.record_arrival].join(" ");
    const isKnown = known.has(sent);
    known.add(sent);
    return isKnown ? [`${row.id}: ${jobId} has sent this event before`] : [];
  });
}

/** After a job for everything, each event of an active webhook was accepted, if its endpoint accepts. */
export async function findUnsent(
  { store, history, ask }: Simulation,
  all: readonly Judged[],
): Promise<string[]> {
  const breaches: string[] = [];
  for (const [accountId, jobId] of history.lastJobs) {
    const { value: job } = await ask((service) => service.resends.get(accountId, jobId));
    if (job?.status !== "finished") continue;
    const webhooks = await listWebhooks(store, accountId, { limit: 1_000 });
    const active = new Set(
      webhooks.filter((row) => row.status === "active" && row.target_url !== urlOf(0)).map(({ id }) => id),
    );
    const isSettled = (id: string): boolean =>
      all.some(({ row }) => row.status === "delivered" && (row.root ?? row.resent_from) === id);
    for (const { row, sweptAt } of all)
      if (
        row.kind === "event" &&
        active.has(row.webhook_id) &&
        sweptAt === undefined &&
        ["failed", "cancelled"].includes(row.status) &&
        !history.changes.some(({ of }) => of === `${accountId}/${row.record_id}`) &&
        !isSettled(row.id)
      )
        breaches.push(`${row.id}: ${row.status}, and ${jobId} has not sent it again`);
    const prefix: Key = [partitionOf(accountId), "missed-event", accountId];
    const missed = await store.list({ prefix, limit: 1_000 });
    for (const { key } of missed)
      if (active.has(String(key[3]))) breaches.push(`${jobId} has not sent ${key.join("/")}`);
  }
  return breaches;
}
