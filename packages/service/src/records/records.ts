import { findDeliveries } from "@hookwright/delivery";
import { isHostId, isRecordId } from "@hookwright/domain";
import { noSuch } from "../lookups/no-such.ts";
import { commitAudited } from "../audit/commit-audited.ts";
import type { AuditContext } from "../audit/commit-audited.ts";
import { keys } from "../rows/keys.ts";
import type { RecordUseCases } from "../use-cases.ts";
import { prepareRecordRemoval } from "./record-removal.ts";

/** Kinds are parts of keys. Own kinds are named as their events. */
const longestKind = 128;

/** Business records of any kind, also of events that the host has removed. Pending deliveries of a removed record end as `cancelled` when they are due. */
export function createRecords(context: AuditContext): RecordUseCases {
  const { store, now } = context;
  return {
    async remove(accountId, kind, recordId, origin) {
      if (!isHostId(accountId) || !isRecordId(recordId) || kind.length > longestKind) throw noSuch("record");
      const key = keys.record(accountId, kind, recordId);
      return commitAudited(context, key[0], origin, async () => {
        const stored = await store.get(key);
        if (stored === undefined) throw noSuch("record");
        const removal = await prepareRecordRemoval(store, {
          accountId,
          kind,
          recordId,
          text: stored,
          now: now(),
        });
        const mutations = [...removal.mutations];
        // The log outlives the record, so the links to its deliveries move out of the row. Links to deliveries that were already
        // swept are dropped, because nothing would remove them later.
        for (const { id } of await findDeliveries(store, accountId, removal.before.head.deliveries)) {
          mutations.push({
            type: "set",
            key: keys.deliveryOfRecord(accountId, recordId, id),
            value: "",
          });
        }
        return {
          commit: { checks: removal.checks, mutations },
          result: { id: recordId, deleted: true as const },
          audited: { action: "record.deleted", accountId, target: { kind: "record", id: recordId } },
        };
      });
    },
  };
}
