import { decodeKey } from "../keys/key-codec.ts";
import { toKeyRange } from "../keys/key-range.ts";
import type { CountOptions, Entry, Key, ListOptions } from "../port.ts";
import { toBinaryArray } from "./binary-array.ts";
import { createDataBuffer, type DataBuffer } from "./data-buffer.ts";
import type { Link } from "./link.ts";
import type { Parameter, Row } from "./statement.ts";

export interface Reads {
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
  list(options: ListOptions): Promise<Entry[]>;
  count(options: CountOptions): Promise<number>;
  /** Resolves when no read is collected. Running ones belong to the link. */
  settled(): Promise<void>;
}

interface Waiting {
  readonly count: number;
  readonly resolve: (texts: (string | undefined)[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads that share a statement. Their keys are encoded when they arrive. */
interface Group {
  readonly data: DataBuffer;
  readonly starts: number[];
  readonly lengths: number[];
  readonly waiting: Waiting[];
}

/** A larger statement would delay the small reads in it. */
const maxKeys = 1_000;
const maxInteger = 2 ** 31 - 1;

export function createReads(options: {
  readonly link: Link;
  readonly schema: string;
  /** The time of the store for `given_time`. `null`: the clock of the database. */
  readonly now: () => number | null;
}): Reads {
  const { link, schema, now } = options;
  let collected: Group[] = [];
  const readRows = `select place, row_value from ${schema}.read_rows($1, $2, $3, $4)`;
  const listRows = `select row_key, row_value from ${schema}.list_rows($1, $2, $3, $4, $5)`;
  const listGroups = `select row_key, row_value from ${schema}.list_groups($1, $2, $3, $4, $5, $6, $7)`;

  /** The number of keys alone, so it may read the index without the rows. */
  const countRows = `select count(*) from (select from ${schema}.rows where key >= $1 and key < $2 limit $3) counted`;

  /** Reads of one iteration of the event loop share statements. */
  function flush(): void {
    const groups = collected;
    collected = [];
    for (const group of groups) if (group.waiting.length > 0) void send(group);
  }

  function groupFor(count: number): Group {
    const last = collected.at(-1);
    if (last !== undefined && last.starts.length + count <= maxKeys) return last;
    const group: Group = { data: createDataBuffer(), starts: [], lengths: [], waiting: [] };
    if (collected.length === 0) setImmediate(flush);
    collected.push(group);
    return group;
  }

  async function send({ data, starts, lengths, waiting }: Group): Promise<void> {
    try {
      const rows = await link.read(readRows, [
        now(),
        data.bytes(),
        toBinaryArray("int4", starts),
        toBinaryArray("int4", lengths),
      ]);
      const texts = Array.from<string | undefined>({ length: starts.length });
      for (const [place, value] of rows) texts[Number(place) - 1] = toText(value);
      let start = 0;
      for (const { count, resolve } of waiting) resolve(texts.slice(start, (start += count)));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return {
    getMany(keys) {
      if (keys.length === 0) return Promise.resolve([]);
      return new Promise((resolve, reject) => {
        const { data, starts, lengths, waiting } = groupFor(keys.length);
        // An invalid key throws before anything refers to the others.
        for (const { start, length } of keys.map(data.addKey)) {
          starts.push(start);
          lengths.push(length);
        }
        waiting.push({ count: keys.length, resolve, reject });
      });
    },
    async list(listOptions) {
      const { limit, reverse = false, groupBy } = listOptions;
      const { prefix, from, to } = toKeyRange(listOptions);
      if (from >= to) return [];
      const range: Parameter[] = [
        now(),
        Buffer.from(from, "latin1"),
        Buffer.from(to, "latin1"),
        Math.min(limit, maxInteger),
        reverse,
      ];
      const rows: readonly Row[] =
        groupBy === undefined
          ? await link.read(listRows, range)
          : await link.read(listGroups, [...range, prefix.length, Math.min(groupBy, maxInteger)]);
      return rows.map(([key, value]) => ({
        key: decodeKey(fromHex(key).toString("latin1"), prefix),
        value: toText(value),
      }));
    },
    async count({ prefix, limit }) {
      const { from, to } = toKeyRange({ prefix, limit });
      const range = [Buffer.from(from, "latin1"), Buffer.from(to, "latin1")];
      const [[count] = []] = await link.read(countRows, [...range, Math.min(limit, maxInteger)]);
      return Number(count);
    },
    // A later callback than the one that sends the collected reads.
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

function toText(hex: Row[number]): string {
  return fromHex(hex).toString("utf8");
}

function fromHex(hex: Row[number]): Buffer {
  return Buffer.from(hex ?? "", "hex");
}
