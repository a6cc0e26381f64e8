import { partitionOf } from "@hookwright/storage";
import type { Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keepFairly } from "../limits/fair-limit.ts";
import { auditKeys, parseAuditRow } from "../rows/audit-row.ts";
import type { AuditRow } from "../rows/audit-row.ts";
import { keys } from "../rows/keys.ts";

interface SweepAuditOptions {
  readonly store: Store;
  readonly accountId: string;
  /** The entries of an account that are kept. @default 10,000 */
  readonly maximumKept?: number | undefined;
  /** Awaited between two batches, so that other work runs. */
  readonly pause: () => Promise<void>;
}

export const maximumAuditEntries = 10_000;
const batchSize = 500;
const hourMs = 3_600_000;

/**
 * Removes entries of an account above the maximum: of the actor with the most, of its busiest hour, of what it did most often in it. So
 * nobody can push out entries of others, nor traces of an earlier hour or of another change, by many changes. Entries also expire.
 */
export async function sweepAuditLog({
  store,
  accountId,
  maximumKept = maximumAuditEntries,
  pause,
}: SweepAuditOptions): Promise<void> {
  const partition = partitionOf(accountId);
  const prefix = keys.audit(accountId);
  const entries: Pick<AuditRow, "id" | "action" | "account_id" | "actor" | "target" | "at">[] = [];
  for await (const batch of listPages(store, { prefix, pageSize: batchSize })) {
    for (const { value } of batch) {
      const { id, action, account_id, actor, target, at } = parseAuditRow(value);
      entries.push({ id, action, account_id, actor, target, at });
    }
    await pause();
  }
  const kept = new Set(
    keepFairly(entries, maximumKept, ({ actor, at, action, target }) => [
      // Its own level, because an account can have any number of keys.
      actor.kind,
      actor.id ?? actor.name ?? "",
      String(Math.floor(at / hourMs)),
      action,
      target.id ?? "",
    ]),
  );
  const excess = entries.filter((entry) => !kept.has(entry));
  for (let start = 0; start < excess.length; start += batchSize) {
    await pause();
    const mutations = excess
      .slice(start, start + batchSize)
      .flatMap((entry) => auditKeys(entry, partition))
      .map((key): Mutation => ({ type: "delete", key }));
    await store.commit(partition, { mutations });
  }
}
