import { partitionOf } from "@hookwright/storage";
import type { Key } from "@hookwright/storage";
import type { Judged } from "./judged.ts";
import { accountIds } from "./operations.ts";
import type { Simulation } from "./simulation.ts";

const hourMs = 60 * 60_000;
const retentionMs = 30 * 24 * hourMs;
/** Each hour is swept once, or when the sweeping process resumes. */
const sweptWithinMs = 2 * hourMs;
/** Versions of records are stored this much longer than the oldest delivery. */
const versionsMarginMs = hourMs;

/** A swept delivery must have ended thirty days before, and must not reappear. */
export function findSweptWrongly(all: readonly Judged[]): string[] {
  const known = new Set<string>();
  return all.flatMap(({ row, sweptAt }) => {
    const isKnown = known.has(row.id);
    known.add(row.id);
    if (isKnown) return [`${row.id}: came back into the log`];
    if (sweptAt === undefined || (row.completed_at ?? sweptAt) < sweptAt - retentionMs) return [];
    return [`${row.id}: swept at ${sweptAt}, ended at ${row.completed_at}`];
  });
}

/** After this time a delivery must be swept. */
export function findUnswept({ network }: Simulation, all: readonly Judged[]): string[] {
  const neededSince = network.clock.now() - retentionMs - sweptWithinMs;
  return all
    .filter(({ row, sweptAt }) => sweptAt === undefined && (row.completed_at ?? neededSince) < neededSince)
    .map(({ row }) => `${row.id}: still in the log, though it ended at ${row.completed_at}`);
}

/** Only versions of records that a delivery may refer to are stored. */
export async function findUnsweptVersions(
  { network, store }: Simulation,
  all: readonly Judged[],
): Promise<string[]> {
  const breaches: string[] = [];
  for (const accountId of accountIds) {
    const made = all
      .filter((one) => one.accountId === accountId && one.sweptAt === undefined)
      .map(({ row }) => row.created_at);
    const before = Math.min(network.clock.now() - sweptWithinMs, ...made) - versionsMarginMs;
    const prefix: Key = [partitionOf(accountId), "record-version-end", accountId];
    const left = await store.list({ prefix, before: [...prefix, before], limit: 100 });
    breaches.push(...left.map(({ key }) => `still kept: ${key.join("/")}`));
  }
  return breaches;
}

/** The log must show the sent body of every attempt as long as it shows the delivery. */
export async function findUnread({ ask }: Simulation, all: readonly Judged[]): Promise<string[]> {
  const kept = all.filter(({ sweptAt }) => sweptAt === undefined);
  const { value } = await ask((service) =>
    Promise.all(kept.map(({ accountId, row }) => service.deliveries.get(accountId, row.id).catch(String))),
  );
  return kept.flatMap(({ row, arrivals }, index) => {
    const detail = value?.[index];
    if (typeof detail !== "object") return [`${row.id}: cannot be read: ${detail}`];
    return detail.attempts
      .filter(({ request }) => !arrivals.some(({ body }) => body === request.body))
      .map(({ number }) => `${row.id}: attempt ${number} shows another body than was sent`);
  });
}
