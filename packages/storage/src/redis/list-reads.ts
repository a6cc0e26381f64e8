import { decodeKey } from "../keys/key-codec.ts";
import { toKeyRange } from "../keys/key-range.ts";
import type { CountOptions, Entry, ListOptions } from "../port.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { commandError } from "./redis-errors.ts";
import { runScript } from "./run-script.ts";
import { listScript } from "./scripts/list-script.ts";

/**
 * Lists entries. Calls within one iteration of the event loop share one command and one snapshot. In a
 * Cluster, each partition has its own command.
 */
export interface ListReads {
  list(options: ListOptions): Promise<Entry[]>;
  count(options: CountOptions): Promise<number>;
}

interface Group {
  /** The six arguments of the script for each list. */
  readonly lists: (readonly string[])[];
  /** The Redis keys of the listed partitions, two for each. */
  readonly keys: string[];
  readonly answer: Promise<readonly unknown[]>;
  /** The largest possible number of entries. */
  entries: number;
}

/** Limits of one call. Redis is blocked meanwhile, and short lists should not wait for long ones. */
const maxLists = 32;
const maxEntries = 512;

export function createListReads(options: {
  readonly link: Link;
  /** The address of the server, without credentials. */
  readonly serverAddress: string;
  readonly isCluster: boolean;
  readonly keysOf: (partition: string) => PartitionKeys;
  /** The time of the store's own clock, or "" for the clock of the server. */
  readonly now: () => string;
}): ListReads {
  const { link, serverAddress, isCluster, keysOf, now } = options;
  let groups = new Map<string, Group>();

  function groupOf(partition: string, limit: number): Group {
    const groupName = isCluster ? partition : "all";
    const open = groups.get(groupName);
    if (open !== undefined && open.lists.length < maxLists && open.entries + limit <= maxEntries) return open;
    if (groups.size === 0) link.beforeFlush(() => (groups = new Map()));
    const lists: Group["lists"] = [];
    const listed: string[] = [];
    const answer = new Promise<readonly unknown[]>((resolve, reject) => {
      // Other calls may add lists until then.
      link.beforeFlush(() => {
        runScript(link.read, listScript, listed, [now(), ...lists.flat()]).then((reply) => {
          resolve(Array.isArray(reply) ? reply : []);
        }, reject);
      });
    });
    const group = { lists, keys: listed, answer, entries: 0 };
    groups.set(groupName, group);
    return group;
  }

  /** Returns the index of a partition's rows among the keys of the call. Lua counts from 1. */
  function keyIndexOf({ keys }: Group, partition: string): number {
    const { rows, index } = keysOf(partition);
    const known = keys.indexOf(rows);
    return 1 + (known === -1 ? keys.push(rows, index) - 2 : known);
  }

  return {
    async list(listOptions) {
      const { prefix, from, to } = toKeyRange(listOptions);
      if (to <= from) return [];
      const { limit, reverse = false, groupBy } = listOptions;
      const groupParts = groupBy === undefined ? 0 : prefix.key.length - 1 + groupBy;
      const [partition] = prefix.key;
      const group = groupOf(partition, limit);
      const rowsIndex = String(keyIndexOf(group, partition));
      const order = reverse ? "1" : "0";
      const added = [`[${from}`, `(${to}`, String(limit), order, String(groupParts), rowsIndex];
      // Equal lists are common: a hundred publications for one account list the same webhooks.
      const same = group.lists.findIndex((list) => list.every((text, part) => text === added[part]));
      const listAt = same === -1 ? group.lists.push(added) - 1 : same;
      if (same === -1) group.entries += limit;
      const found = (await group.answer)[listAt];
      if (found instanceof Error) throw commandError(serverAddress, found);
      const entries: Entry[] = [];
      if (!Array.isArray(found)) return entries;
      for (let at = 0; at + 1 < found.length; at += 2) {
        entries.push({ key: decodeKey(String(found[at]), prefix), value: String(found[at + 1]) });
      }
      return entries;
    },
    async count({ prefix, limit }) {
      const { from, to } = toKeyRange({ prefix, limit });
      const { index } = keysOf(prefix[0]);
      return Math.min(limit, Number(await link.read("zlexcount", [index, `[${from}`, `(${to}`])));
    },
  };
}
