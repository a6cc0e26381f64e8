import { decodeKey } from "../keys/key-codec.ts";
import { toKeyRange } from "../keys/key-range.ts";
import type { Entry, ListOptions } from "../port.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { redisFault } from "./redis-fault.ts";
import { runScript } from "./run-script.ts";
import { listScript } from "./scripts/list-script.ts";

/**
 * Lists entries. What is asked for in one turn of the event loop is one call, and one moment; in a Cluster, where partitions lie on
 * several nodes, one for each partition.
 */
export interface ListReads {
  list(options: ListOptions): Promise<Entry[]>;
}

interface Group {
  /** What the script is asked for, list by list. */
  readonly lists: (readonly [low: string, high: string, limit: string, reverse: string, place: string])[];
  /** The keys of the partitions that are listed, two for each. */
  readonly keys: string[];
  readonly answer: Promise<readonly unknown[]>;
  /** How many entries it may come to. */
  entries: number;
}

/** A call begins no further list beyond these: Redis does nothing else meanwhile, and whoever seeks one entry should not wait for pages. */
const mostLists = 32;
const mostEntries = 512;

export function createListReads(options: {
  readonly link: Link;
  /** The server's address, without credentials. */
  readonly place: string;
  readonly isCluster: boolean;
  readonly keysOf: (partition: string) => PartitionKeys;
  readonly now: () => number;
}): ListReads {
  const { link, place, isCluster, keysOf, now } = options;
  let groups = new Map<string, Group>();

  function groupOf(partition: string, limit: number): Group {
    const together = isCluster ? partition : "all";
    const open = groups.get(together);
    if (open !== undefined && open.lists.length < mostLists && open.entries + limit <= mostEntries)
      return open;
    if (groups.size === 0) link.beforeFlush(() => (groups = new Map()));
    const lists: Group["lists"] = [];
    const listed: string[] = [];
    const answer = new Promise<readonly unknown[]>((resolve, reject) => {
      // More may be asked for until then.
      link.beforeFlush(() => {
        runScript(link.read, listScript, listed, [String(now()), ...lists.flat()]).then((reply) => {
          resolve(Array.isArray(reply) ? reply : []);
        }, reject);
      });
    });
    const group = { lists, keys: listed, answer, entries: 0 };
    groups.set(together, group);
    return group;
  }

  /** Where the rows of a partition stand among the keys of the call, as Lua counts. */
  function placeIn({ keys }: Group, partition: string): number {
    const { rows, index } = keysOf(partition);
    const known = keys.indexOf(rows);
    return 1 + (known === -1 ? keys.push(rows, index) - 2 : known);
  }

  return {
    async list(listOptions) {
      const { prefix, from, to } = toKeyRange(listOptions);
      if (to <= from) return [];
      const { limit, reverse = false } = listOptions;
      const [partition] = prefix.key;
      const group = groupOf(partition, limit);
      const rowsAt = String(placeIn(group, partition));
      const wanted = [`[${from}`, `(${to}`, String(limit), reverse ? "1" : "0", rowsAt] as const;
      // A hundred publishes for one account ask for the same webhooks.
      const same = group.lists.findIndex((list) => list.every((text, part) => text === wanted[part]));
      const listAt = same === -1 ? group.lists.push(wanted) - 1 : same;
      if (same === -1) group.entries += limit;
      const found = (await group.answer)[listAt];
      if (found instanceof Error) throw redisFault(place, found);
      const entries: Entry[] = [];
      if (!Array.isArray(found)) return entries;
      for (let at = 0; at + 1 < found.length; at += 2) {
        entries.push({ key: decodeKey(String(found[at]), prefix), value: String(found[at + 1]) });
      }
      return entries;
    },
  };
}
