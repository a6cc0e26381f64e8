import { decodeKey } from "../keys/key-codec.ts";
import { toKeyRange } from "../keys/key-range.ts";
import type { Entry, ListOptions } from "../port.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { runScript } from "./run-script.ts";
import { listScript } from "./scripts/list-script.ts";

/** Lists entries. What is asked for in one turn of the event loop is one call for each partition, and one moment. */
export interface ListReads {
  list(options: ListOptions): Promise<Entry[]>;
}

interface Group {
  /** What the script is asked for, list by list. */
  readonly lists: (readonly [low: string, high: string, limit: string, reverse: string])[];
  readonly answer: Promise<readonly unknown[]>;
  /** How many entries it may come to. */
  entries: number;
}

/** A call begins no further list beyond these: Redis does nothing else meanwhile, and whoever seeks one entry should not wait for pages. */
const mostLists = 32;
const mostEntries = 512;

export function createListReads(options: {
  readonly link: Link;
  readonly keysOf: (partition: string) => PartitionKeys;
  readonly now: () => number;
}): ListReads {
  const { link, keysOf, now } = options;
  let groups = new Map<string, Group>();

  function groupOf(partition: string, limit: number): Group {
    const open = groups.get(partition);
    if (open !== undefined && open.lists.length < mostLists && open.entries + limit <= mostEntries)
      return open;
    if (groups.size === 0) link.beforeFlush(() => (groups = new Map()));
    const lists: Group["lists"] = [];
    const answer = new Promise<readonly unknown[]>((resolve, reject) => {
      // More may be asked for until then.
      link.beforeFlush(() => {
        const { rows, index } = keysOf(partition);
        runScript(link.read, listScript, [rows, index], [String(now()), ...lists.flat()]).then((reply) => {
          resolve(Array.isArray(reply) ? reply : []);
        }, reject);
      });
    });
    const group = { lists, answer, entries: 0 };
    groups.set(partition, group);
    return group;
  }

  return {
    async list(listOptions) {
      const { prefix, from, to } = toKeyRange(listOptions);
      if (to <= from) return [];
      const { limit, reverse = false } = listOptions;
      const group = groupOf(prefix.key[0], limit);
      const wanted = [`[${from}`, `(${to}`, String(limit), reverse ? "1" : "0"] as const;
      // A hundred publishes for one account ask for the same webhooks.
      const same = group.lists.findIndex((list) => list.every((text, part) => text === wanted[part]));
      const place = same === -1 ? group.lists.push(wanted) - 1 : same;
      if (same === -1) group.entries += limit;
      const found = (await group.answer)[place];
      const entries: Entry[] = [];
      if (!Array.isArray(found)) return entries;
      for (let at = 0; at + 1 < found.length; at += 2) {
        entries.push({ key: decodeKey(String(found[at]), prefix), value: String(found[at + 1]) });
      }
      return entries;
    },
  };
}
