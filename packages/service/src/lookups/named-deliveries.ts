import type { Key, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { MatchedRecord } from "./read-heads.ts";

/** The newest ids of deliveries that a text names, before an id. At most `limit`. */
export type ListNamed = (before: string | undefined, limit: number) => Promise<readonly string[]>;

/** The entries of a record that were read and not passed yet, newest first. */
interface Run {
  readonly prefix: Key;
  ids: readonly string[];
  before: string | undefined;
  isAtEnd: boolean;
}

/** Entries of one record that are read together. Most have none. */
const entriesAtOnce = 100;

/**
 * Lists the deliveries of records, newest first. The row of a record has the deliveries of its publishes. The others, such as resends,
 * have an entry each. The pages of a log go from new to old, so each entry is read once.
 */
export function createListNamed(
  store: Store,
  accountId: string,
  records: readonly MatchedRecord[],
  deliveryId: string | undefined,
): ListNamed {
  const ofRows = [
    ...new Set([
      ...(deliveryId === undefined ? [] : [deliveryId]),
      ...records.flatMap(({ head }) => head?.deliveries ?? []),
    ]),
  ];
  // Records that were found by their row alone have no entries.
  const indexed = records.filter(({ kind, by }) => kind === "" || by !== "id");
  const prefixes = [...new Set(indexed.map(({ id }) => id))].map((id) =>
    keys.deliveriesOfRecord(accountId, id),
  );
  let runs: readonly Run[] = [];
  let start: string | undefined;

  async function readMore(run: Run): Promise<void> {
    const before = run.before === undefined ? undefined : ([...run.prefix, run.before] as const);
    const entries = await store.list({ prefix: run.prefix, limit: entriesAtOnce, reverse: true, before });
    const ids = entries.map(({ key }) => String(key.at(-1)));
    run.ids = [...run.ids, ...ids];
    run.before = ids.at(-1) ?? run.before;
    run.isAtEnd = ids.length < entriesAtOnce;
  }

  return async (before, limit) => {
    const isBefore = (id: string): boolean => before === undefined || id < before;
    if (runs.length === 0 || (start !== undefined && (before === undefined || before > start)))
      runs = prefixes.map((prefix) => ({ prefix, ids: [], before, isAtEnd: false }));
    start = before;
    for (const run of runs) run.ids = run.ids.filter(isBefore);
    for (;;) {
      const ids = [...new Set([...ofRows.filter(isBefore), ...runs.flatMap((run) => run.ids)])]
        .toSorted((left, right) => (left < right ? 1 : -1))
        .slice(0, limit);
      const last = ids.length < limit ? "" : (ids.at(-1) ?? "");
      // Only these may have others that are newer than the last.
      const unread = runs.filter((run) => !run.isAtEnd && (run.ids.at(-1) ?? "~") > last);
      if (unread.length === 0) return ids;
      await Promise.all(unread.map(readMore));
    }
  };
}
