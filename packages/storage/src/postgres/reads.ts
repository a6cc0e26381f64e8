import { decodeKey, encodeKey } from "../keys/key-codec.ts";
import { toKeyRange } from "../keys/key-range.ts";
import type { CountOptions, Entry, Key, ListOptions } from "../port.ts";
import { toArray } from "./commit-parameters.ts";
import { createDataBuffer } from "./data-buffer.ts";
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
  readonly keys: readonly string[];
  readonly resolve: (texts: (string | undefined)[]) => void;
  readonly reject: (error: unknown) => void;
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
  let collected: Waiting[] = [];
  const readRows = `select place, row_value from ${schema}.read_rows($1, $2, $3, $4)`;
  const listRows = `select row_key, row_value from ${schema}.list_rows($1, $2, $3, $4, $5)`;
  const listGroups = `select row_key, row_value from ${schema}.list_groups($1, $2, $3, $4, $5, $6, $7)`;

  /** The number of keys alone, so it may read the index without the rows. */
  const countRows = `select count(*) from (select from ${schema}.rows where key >= $1 and key < $2 limit $3) counted`;

  /** Reads of one iteration of the event loop share statements. */
  function flush(): void {
    const waiting = collected;
    collected = [];
    let group: Waiting[] = [];
    let count = 0;
    for (const one of waiting) {
      if (count > 0 && count + one.keys.length > maxKeys) {
        void send(group);
        group = [];
        count = 0;
      }
      group.push(one);
      count += one.keys.length;
    }
    void send(group);
  }

  async function send(group: readonly Waiting[]): Promise<void> {
    try {
      const texts = await readTexts(group.flatMap(({ keys }) => keys));
      let start = 0;
      for (const { keys, resolve } of group) resolve(texts.slice(start, (start += keys.length)));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function readTexts(keys: readonly string[]): Promise<(string | undefined)[]> {
    const data = createDataBuffer();
    const pieces = keys.map((key) => data.addKey(key));
    const rows = await link.read(readRows, [
      now(),
      data.bytes(),
      toArray(pieces.map(({ start }) => start)),
      toArray(pieces.map(({ length }) => length)),
    ]);
    const texts = Array.from<string | undefined>({ length: keys.length });
    for (const [place, value] of rows) texts[Number(place) - 1] = toText(value);
    return texts;
  }

  return {
    getMany(keys) {
      const encoded = keys.map((key) => encodeKey(key));
      if (encoded.length === 0) return Promise.resolve([]);
      return new Promise((resolve, reject) => {
        if (collected.length === 0) setImmediate(flush);
        collected.push({ keys: encoded, resolve, reject });
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
