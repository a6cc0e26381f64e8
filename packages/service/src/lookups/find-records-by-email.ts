import { isEmailAddress, normaliseEmail } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { toIndexText } from "../rows/record-row.ts";
import type { RecordName } from "../rows/record-row.ts";
import { subscriberOf } from "../rows/subscriber-addresses.ts";

export interface FoundRecords {
  readonly records: readonly RecordName[];
  /** False: there are more. */
  readonly isComplete: boolean;
}

/** The sites of an account that are searched for subscribers. */
const maximumSites = 1_000;

/**
 * The records of all kinds with the address of a person. Those of other kinds than orders and subscribers are only found if this or a
 * later version has stored them.
 */
export async function findRecordsByEmail(
  store: Store,
  accountId: string,
  address: string,
  maximum: number,
): Promise<FoundRecords> {
  const email = normaliseEmail(address);
  if (!isEmailAddress(email)) return { records: [], isComplete: true };
  const indexed = toIndexText(email);
  const limit = maximum + 1;
  const [orders, others, subscribers] = await Promise.all([
    store.list({ prefix: keys.ordersByEmail(accountId, indexed), limit }),
    store.list({ prefix: keys.recordsByEmail(accountId, indexed), limit }),
    findSubscribers(store, accountId, email, limit),
  ]);
  const records = [
    ...orders.map(({ key }) => ({ kind: "orders", id: String(key.at(-1)) })),
    ...others.map(({ key }) => ({ kind: String(key.at(-2)), id: String(key.at(-1)) })),
    ...subscribers.records,
  ];
  return {
    records: records.slice(0, maximum),
    isComplete: records.length <= maximum && subscribers.isComplete,
  };
}

/** An address has an entry for each site. */
async function findSubscribers(
  store: Store,
  accountId: string,
  email: string,
  limit: number,
): Promise<FoundRecords> {
  const sites = await store.list({ prefix: keys.projects(accountId), limit: maximumSites + 1 });
  const projectIds = sites.slice(0, maximumSites).map(({ key }) => String(key.at(-1)));
  const entries = await store.getMany(
    projectIds.map((projectId) => keys.subscriberOfEmail(accountId, projectId, email)),
  );
  const prefixes = projectIds
    .filter((_, index) => entries[index] !== undefined)
    .map((projectId): Key => keys.subscribersOfEmail(accountId, projectId, email));
  const others = await Promise.all(prefixes.map((prefix) => store.list({ prefix, limit })));
  const ids = [
    ...entries.flatMap((text) => (text === undefined ? [] : [subscriberOf(text)])),
    ...others.flat().map(({ key }) => String(key.at(-1))),
  ];
  return {
    records: ids.map((id) => ({ kind: "subscribers", id })),
    isComplete: sites.length <= maximumSites,
  };
}
