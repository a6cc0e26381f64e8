import type { Check, Mutation, Store } from "@hookwright/storage";
import { isVersionReferenced } from "../lookups/find-records.ts";
import { toRecordMutations } from "../rows/record-change.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import type { RecordRow } from "../rows/record-row.ts";
import { leaveAddress } from "../rows/subscriber-addresses.ts";
import { keys } from "../rows/keys.ts";

export interface RemovedRecord {
  readonly accountId: string;
  readonly kind: string;
  readonly recordId: string;
  /** Its row. */
  readonly text: string;
  /** Whether the log loses its data too. @default false */
  readonly isErased?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What removes a record and the entries that find it. The commit checks the record. Only one subscriber of an address is in a commit. */
export async function prepareRecordRemoval(
  store: Store,
  { accountId, kind, recordId, text, isErased = false, now }: RemovedRecord,
): Promise<{
  readonly before: RecordRow;
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}> {
  const before = parseRecordRow(text);
  const { project_id: projectId, email } = before.head;
  const address =
    kind === "subscribers" && email !== ""
      ? await leaveAddress(store, { accountId, projectId, email }, recordId)
      : { checks: [], mutations: [] };
  const mutations = toRecordMutations({
    accountId,
    kind,
    recordId,
    before,
    isVersionReferenced:
      isErased || (await isVersionReferenced(store, accountId, recordId, before, undefined)),
    isErased,
    after: undefined,
    arrival: before.version,
    now,
  });
  return {
    before,
    checks: [{ key: keys.record(accountId, kind, recordId), value: text }, ...address.checks],
    mutations: [...mutations, ...address.mutations],
  };
}
