import { findRemovedWebhook, listRemovedWebhooks } from "@hookwright/delivery";
import type { RemovedWebhookRow } from "@hookwright/delivery";
import type { ConsoleWebhook } from "@hookwright/domain";
import { listNewestWebhooks } from "../lookups/find-webhooks.ts";
import { readConsoleWebhooks, readRemovedWebhooks } from "../lookups/read-webhooks.ts";
import type { ChangedRow, ChangeReader, ChangeReaderOptions } from "./change-feed.ts";

/** The newest removed webhooks that each read compares. */
export const removedCompared = 25;

/** Finds webhooks that are new, have changed or were removed, also if they were created since the last read. */
export function createWebhookChangeReader({ store, accountId }: ChangeReaderOptions): ChangeReader {
  let known: ReadonlyMap<string, ConsoleWebhook> = new Map();
  let knownRemoved: ReadonlySet<string> = new Set();
  /** The id of the newest webhook that was found, present or removed. Ids are ordered by time. */
  let newestId = "";

  /** The rows of webhooks that are no longer there. */
  function findGone(gone: readonly ConsoleWebhook[]): Promise<ConsoleWebhook[]> {
    return Promise.all(
      gone.map(async (webhook): Promise<ConsoleWebhook> => {
        const row = await findRemovedWebhook(store, accountId, webhook.id);
        const [removed] = row === undefined ? [] : await readRemovedWebhooks(store, accountId, [row]);
        return removed ?? { ...webhook, status: "removed" };
      }),
    );
  }

  function remember(present: readonly ConsoleWebhook[], removed: readonly RemovedWebhookRow[]): void {
    known = new Map(present.map((webhook) => [webhook.id, webhook]));
    knownRemoved = new Set(removed.map(({ id }) => id));
    newestId = [newestId, ...known.keys(), ...knownRemoved].toSorted().at(-1) ?? "";
  }

  async function readAll() {
    const rows = await listNewestWebhooks(store, accountId);
    const present = await readConsoleWebhooks(store, accountId, rows);
    // In this order: a webhook that is removed between the two reads is found twice, but never missed.
    const removed = await listRemovedWebhooks(store, accountId, { limit: removedCompared });
    const removedIds = new Set(removed.map(({ id }) => id));
    return { present: present.filter(({ id }) => !removedIds.has(id)), removed };
  }

  return {
    async start() {
      const { present, removed } = await readAll();
      remember(present, removed);
    },
    async read() {
      const { present, removed } = await readAll();
      const changed = present.toReversed().filter((webhook) => {
        return JSON.stringify(known.get(webhook.id)) !== JSON.stringify(webhook);
      });
      const presentIds = new Set(present.map(({ id }) => id));
      const gone = await findGone([...known.values()].filter(({ id }) => !presentIds.has(id)));
      const created = removed.filter(({ id }) => id > newestId && !known.has(id) && !knownRemoved.has(id));
      const hasMissed = created.length === removedCompared;
      remember(present, removed);
      const createdAndGone = await readRemovedWebhooks(store, accountId, created.toReversed());
      return {
        rows: [...changed, ...gone, ...createdAndGone].map(toRow),
        hasMissed,
      };
    },
  };
}

function toRow(webhook: ConsoleWebhook): ChangedRow {
  return { event: "webhook", id: webhook.id, text: JSON.stringify(webhook) };
}
