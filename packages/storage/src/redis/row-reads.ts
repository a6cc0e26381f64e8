import { isSameKey, type Key } from "../port.ts";
import type { ArgumentWriter, WriterMark } from "./argument-writer.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { runScript } from "./run-script.ts";
import { readScript } from "./scripts/read-script.ts";
import type { WriterPool } from "./writer-pool.ts";

/**
 * Reads rows. Reads within one iteration of the event loop are one command for each partition and see one
 * snapshot.
 */
export interface RowReads {
  get(key: Key): Promise<string | undefined>;
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
}

interface Group {
  readonly writer: ArgumentWriter;
  /**
   * The last key with each hash, and its place in the answer. Such a key is read once, however often it is
   * requested.
   */
  readonly known: Map<number, { readonly key: Key; readonly place: number }>;
  count: number;
  readonly answer: Promise<readonly unknown[]>;
}

/** Successive keys of one call that are in the same group. */
interface Span {
  readonly group: Group;
  readonly start: WriterMark;
  /** Their places in the answer of the group. */
  readonly places: number[];
}

/** Lua's `unpack` is limited to fewer than 8,000 values. */
const maxKeys = 4_000;

export function createRowReads(options: {
  readonly link: Pick<Link, "read" | "beforeFlush">;
  readonly writers: WriterPool;
  readonly keysOf: (partition: string) => PartitionKeys;
  /** The time of the store's own clock, or "" for the clock of the server. */
  readonly now: () => string;
}): RowReads {
  const { link, writers, keysOf, now } = options;
  let groups = new Map<string, Group>();

  function groupOf(partition: string): Group {
    const open = groups.get(partition);
    if (open !== undefined && open.count < maxKeys) return open;
    if (groups.size === 0) link.beforeFlush(() => (groups = new Map()));
    const writer = writers.take();
    const group: Group = {
      writer,
      known: new Map(),
      count: 0,
      answer: new Promise((resolve, reject) => {
        // Other calls may add keys until then.
        link.beforeFlush(() => {
          // Only invalid keys were requested.
          if (group.count === 0) writers.release(writer);
          else send(partition, writer).then(resolve, reject);
        });
      }),
    };
    groups.set(partition, group);
    return group;
  }

  async function send(partition: string, writer: ArgumentWriter): Promise<readonly unknown[]> {
    const { rows, index } = keysOf(partition);
    const read: Link["read"] = (command, values) => link.read(command, values, writer.arguments());
    const texts = await runScript(read, readScript, [rows, index], [now()]);
    writers.release(writer);
    return Array.isArray(texts) ? texts : [];
  }

  function add(keys: readonly Key[]): Span[] {
    const spans: Span[] = [];
    let last: Span | undefined;
    try {
      for (const key of keys) {
        const group = groupOf(key[0]);
        if (last?.group !== group) {
          last = { group, start: group.writer.mark(), places: [] };
          spans.push(last);
        }
        last.places.push(placeIn(group, key));
      }
    } catch (error) {
      // An invalid key must not leave reads of the others.
      for (const { group, start } of spans.toReversed()) {
        group.writer.rewind(start);
        group.count = start.count;
        group.known.clear();
      }
      throw error;
    }
    return spans;
  }

  async function getMany(keys: readonly Key[]): Promise<(string | undefined)[]> {
    const texts = await Promise.all(
      add(keys).map(async ({ group, places }) => {
        const answer = await group.answer;
        return places.map((place) => answer[place]);
      }),
    );
    return texts.flat().map((text) => (typeof text === "string" ? text : undefined));
  }

  return {
    async get(key) {
      const [text] = await getMany([key]);
      return text;
    },
    getMany,
  };
}

/** Adds a key to a group, unless it is there. Returns its place in the answer. */
function placeIn(group: Group, key: Key): number {
  const { writer, known } = group;
  const start = writer.mark();
  const hash = writer.key(key);
  const same = known.get(hash);
  if (same !== undefined && isSameKey(same.key, key)) {
    writer.rewind(start);
    return same.place;
  }
  const place = group.count++;
  known.set(hash, { key, place });
  return place;
}
