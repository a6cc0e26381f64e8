import { findLoggedDeliveries, listDeliveries } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import type { ConsoleWebhook } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { toDelivery } from "../../deliveries/delivery-shape.ts";
import { listNewestWebhooks } from "../../lookups/find-webhooks.ts";
import { readConsoleWebhooks } from "../../webhooks/read-console-webhooks.ts";

/** A row of a list that is new or has changed. */
export interface ChangedRow {
  readonly event: "delivery" | "webhook";
  readonly id: string;
  /** The row as JSON. */
  readonly text: string;
}

export interface ChangeReader {
  /** Reads the present rows. Changes are those after it. */
  start(): Promise<void>;
  /** The rows that are new or differ since the last read, oldest first. */
  read(): Promise<readonly ChangedRow[]>;
}

/** The newest deliveries that each read compares. */
export const newestCompared = 25;
/** Older deliveries that are compared too, because an attempt follows. The newest of them. */
export const pendingCompared = 100;

/** Finds changes by comparing rows with those of the last read, so that nothing else has to report them. */
export function createChangeReader({
  store,
  accountId,
}: {
  readonly store: Store;
  readonly accountId: string;
}): ChangeReader {
  let deliveries: ReadonlyMap<string, string> = new Map();
  let webhooks: ReadonlyMap<string, ConsoleWebhook> = new Map();
  /** Deliveries that will change. */
  let pending: readonly string[] = [];

  async function readDeliveries(): Promise<ChangedRow[]> {
    const query = { accountId, filters: {}, before: undefined, limit: newestCompared };
    const { deliveries: newest } = await listDeliveries(store, query);
    const listed = new Set(newest.map(({ id }) => id));
    const others = pending.filter((id) => !listed.has(id));
    const older = await findLoggedDeliveries(store, accountId, others);
    const rows = [...newest, ...older].sort((left, right) => (left.id < right.id ? -1 : 1));
    const texts = new Map(rows.map((row) => [row.id, JSON.stringify(toDelivery(row))]));
    const before = deliveries;
    // Without an attempt, a delivery that left the newest ones has not changed.
    for (const id of others) if (!texts.has(id)) texts.set(id, before.get(id) ?? "");
    pending = keepNewest([
      ...rows.filter(isPending).map(({ id }) => id),
      ...others.filter((id) => !older.some((row) => row.id === id)),
    ]);
    const kept = new Set([...listed, ...pending]);
    deliveries = new Map([...texts].filter(([id]) => kept.has(id)));
    return rows.flatMap(({ id }): ChangedRow[] => {
      const text = texts.get(id) ?? "";
      return before.get(id) === text ? [] : [{ event: "delivery", id, text }];
    });
  }

  async function readWebhooks(): Promise<ChangedRow[]> {
    const rows = await listNewestWebhooks(store, accountId);
    const present = await readConsoleWebhooks(store, accountId, rows);
    const before = webhooks;
    webhooks = new Map(present.map((webhook) => [webhook.id, webhook]));
    const removed = [...before.values()]
      .filter(({ id }) => !webhooks.has(id))
      .map((webhook) => ({ ...webhook, status: "removed" }));
    return [...present.toReversed(), ...removed].flatMap((webhook): ChangedRow[] => {
      const text = JSON.stringify(webhook);
      const isSame = JSON.stringify(before.get(webhook.id)) === text;
      return isSame ? [] : [{ event: "webhook", id: webhook.id, text }];
    });
  }

  return {
    async start() {
      const query = { accountId, before: undefined, limit: pendingCompared };
      const waiting = await listDeliveries(store, { ...query, filters: { status: "pending" } });
      deliveries = new Map(waiting.deliveries.map((row) => [row.id, JSON.stringify(toDelivery(row))]));
      pending = keepNewest([...deliveries.keys()]);
      await Promise.all([readDeliveries(), readWebhooks()]);
    },
    async read() {
      return (await Promise.all([readDeliveries(), readWebhooks()])).flat();
    },
  };
}

function isPending({ status }: DeliveryRow): boolean {
  return status === "pending";
}

/** Ids are ordered by time. */
function keepNewest(ids: readonly string[]): readonly string[] {
  return ids.toSorted().slice(-pendingCompared);
}
