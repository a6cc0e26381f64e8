import type { Listed, Query } from "../api/console-api.ts";

/** The pages of a list that are loaded. */
export interface CachedList<Row> {
  readonly first: Listed<Row> & { readonly query: Query };
  /** The rows after the first page. */
  readonly further: readonly Row[];
  readonly meta: Listed<Row>["meta"];
}

const maximumEntries = 20;
/** A longer list is not stored, because each of its pages would store all of it again. */
const maximumRows = 1_000;

/** Caches loaded lists, so that a user who goes back finds them as they were. */
export type ListCache = ReturnType<typeof createListCache>;

export function createListCache() {
  const texts = new Map<string, string>();
  let changes = 0;
  return {
    /** Incremented by every change. */
    get changes() {
      return changes;
    },
    get<Row>(key: string): CachedList<Row> | undefined {
      const text = texts.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    /** The rows of the newest list of this path that contains a row. Empty: there is none. */
    listWith(path: string, id: string): readonly { readonly id: string }[] {
      const key = [...texts.keys()].findLast(
        (each) => each.includes(` ${path} `) && texts.get(each)?.includes(`"id":"${id}"`),
      );
      const { first, further } = JSON.parse(texts.get(key ?? "") ?? '{"first":{"rows":[]},"further":[]}');
      return [...first.rows, ...further];
    },
    /** @param asOf the value of `changes` when the first page was requested. An outdated list is not stored. */
    set<Row>(key: string, list: CachedList<Row>, asOf: number): void {
      if (asOf !== changes || list.further.length > maximumRows) return;
      texts.delete(key);
      texts.set(key, JSON.stringify(list));
      const [oldest] = texts.keys();
      if (texts.size > maximumEntries && oldest !== undefined) texts.delete(oldest);
    },
    /** Drops all lists after a change, because they may be outdated. */
    clear(): void {
      changes += 1;
      texts.clear();
    },
  };
}
