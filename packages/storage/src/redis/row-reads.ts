import type { Key } from "../port.ts";
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
  count: number;
  readonly answer: Promise<readonly unknown[]>;
}

/** Keys that were added to a group one after the other. */
interface Span {
  readonly group: Group;
  readonly start: WriterMark;
  end: number;
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
          last = { group, start: group.writer.mark(), end: group.count };
          spans.push(last);
        }
        group.writer.key(key);
        group.count += 1;
        last.end = group.count;
      }
    } catch (error) {
      // An invalid key must not leave reads of the others.
      for (const { group, start } of spans.toReversed()) {
        group.writer.rewind(start);
        group.count = start.count;
      }
      throw error;
    }
    return spans;
  }

  async function getMany(keys: readonly Key[]): Promise<(string | undefined)[]> {
    const texts = await Promise.all(
      add(keys).map(async ({ group, start, end }) => (await group.answer).slice(start.count, end)),
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
