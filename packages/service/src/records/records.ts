import { findDeliveries } from "@hookwright/delivery";
import { isHostId, isRecordId } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Commit } from "@hookwright/storage";
import { noSuch } from "../lookups/no-such.ts";
import { commitAudited } from "../audit/commit-audited.ts";
import type { AuditContext } from "../audit/commit-audited.ts";
import { keys } from "../rows/keys.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import type { RecordUseCases } from "../use-cases.ts";
import { prepareRecordRemoval } from "./record-removal.ts";

/** Kinds are parts of keys. Own kinds are named as their events. */
const longestKind = 128;
/** Events of a record that are read together. */
const eventsAtOnce = 100;

/** Business records of any kind, also of events that the host has removed. Pending deliveries of a removed record end as `cancelled` when they are due. */
export function createRecords(context: AuditContext): RecordUseCases {
  const { store, now } = context;

  /** What removes a row of the table of records. `undefined`: there is none. */
  async function prepareRemoval(
    accountId: string,
    kind: string,
    recordId: string,
  ): Promise<Commit | undefined> {
    const text = await store.get(keys.record(accountId, kind, recordId));
    if (text === undefined) return undefined;
    const removal = await prepareRecordRemoval(store, { accountId, kind, recordId, text, now: now() });
    const mutations = [...removal.mutations];
    // The log outlives the record, so the links to its deliveries move out of the row. Links to deliveries that were already
    // swept are dropped, because nothing would remove them later.
    for (const { id } of await findDeliveries(store, accountId, removal.before.head.deliveries))
      mutations.push({ type: "set", key: keys.deliveryOfRecord(accountId, recordId, id), value: "" });
    return { checks: removal.checks, mutations };
  }

  /** Removes the events with an id that are about a record. Returns whether there was any. */
  async function removeEvents(accountId: string, kind: string, recordId: string): Promise<boolean> {
    const prefix = keys.eventsOfRecord(accountId, kind, recordId);
    for (let count = 0; ;) {
      const entries = await store.list({ prefix, limit: eventsAtOnce });
      if (entries.length === 0) return count > 0;
      for (const { key } of entries) {
        await commitUntilDone(store, partitionOf(accountId), async () => {
          const removal = await prepareRemoval(accountId, String(key.at(-2)), String(key.at(-1)));
          // Without its row, the entry itself is removed.
          const commit: Commit = removal ?? { mutations: [{ type: "delete", key }] };
          return { commit, result: undefined };
        });
      }
      count += entries.length;
    }
  }

  return {
    async remove(accountId, kind, recordId, origin) {
      if (!isHostId(accountId) || !isRecordId(recordId) || kind.length > longestKind) throw noSuch("record");
      const hadEvents = await removeEvents(accountId, kind, recordId);
      return commitAudited(context, partitionOf(accountId), origin, async () => {
        const commit = await prepareRemoval(accountId, kind, recordId);
        if (commit === undefined && !hadEvents) throw noSuch("record");
        return {
          commit: commit ?? { mutations: [] },
          result: { id: recordId, deleted: true as const },
          audited: { action: "record.deleted", accountId, target: { kind: "record", id: recordId } },
        };
      });
    },
  };
}
