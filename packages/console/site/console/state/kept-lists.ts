import type { Listed } from "../api/console-api.ts";

/** A list as far as it was loaded. */
export interface KeptList<Row> {
  readonly first: Listed<Row>;
  /** What came behind the first page, and where it ends. */
  readonly further: readonly Row[];
  readonly meta: Listed<Row>["meta"];
}

/** Lists as the reader left them: whoever goes back finds them so, and not their beginning. */
export interface KeptLists {
  /** Raised by every change. */
  readonly changes: number;
  get<Row>(key: string): KeptList<Row> | undefined;
  /** @param asOf how many changes there were when its first page was asked for; what is older than the last one is not kept */
  set<Row>(key: string, list: KeptList<Row>, asOf: number): void;
  /** Something has been changed: what was read before may be wrong now. */
  clear(): void;
}

const mostKept = 20;

export function createKeptLists(): KeptLists {
  const texts = new Map<string, string>();
  let changes = 0;
  return {
    get changes() {
      return changes;
    },
    get<Row>(key: string): KeptList<Row> | undefined {
      const text = texts.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    set(key, list, asOf) {
      if (asOf !== changes) return;
      texts.delete(key);
      texts.set(key, JSON.stringify(list));
      const [oldest] = texts.keys();
      if (texts.size > mostKept && oldest !== undefined) texts.delete(oldest);
    },
    clear() {
      changes += 1;
      texts.clear();
    },
  };
}
