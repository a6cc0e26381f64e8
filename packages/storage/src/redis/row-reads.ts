import { encodeKey } from "../keys/key-codec.ts";
import type { Key } from "../port.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { visibleText } from "./stored-text.ts";

/** Reads rows. What is asked for in one turn of the event loop is one command for each partition, at one moment. */
export interface RowReads {
  get(key: Key): Promise<string | undefined>;
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
}

interface Group {
  /** Where each field stands in the answer. */
  readonly places: Map<string, number>;
  readonly fields: string[];
  readonly answer: Promise<readonly unknown[]>;
}

const mostFields = 4_000;

export function createRowReads(options: {
  readonly link: Link;
  readonly keysOf: (partition: string) => PartitionKeys;
  readonly now: () => number;
}): RowReads {
  const { link, keysOf, now } = options;
  let groups = new Map<string, Group>();

  function groupOf(partition: string): Group {
    const open = groups.get(partition);
    if (open !== undefined && open.fields.length < mostFields) return open;
    if (groups.size === 0) link.beforeFlush(() => (groups = new Map()));
    const fields: string[] = [];
    const answer = new Promise<readonly unknown[]>((resolve, reject) => {
      // More fields may be asked for until then.
      link.beforeFlush(() => {
        link.read("hmget", [keysOf(partition).rows, ...fields]).then((reply) => {
          resolve(Array.isArray(reply) ? reply : []);
        }, reject);
      });
    });
    const group = { places: new Map<string, number>(), fields, answer };
    groups.set(partition, group);
    return group;
  }

  /** A field asked for twice, the account of a hundred publishes say, is read once. */
  function placeIn({ places, fields }: Group, field: string): number {
    const known = places.get(field);
    if (known !== undefined) return known;
    places.set(field, fields.length);
    return fields.push(field) - 1;
  }

  return {
    async get(key) {
      const field = encodeKey(key);
      const group = groupOf(key[0]);
      const place = placeIn(group, field);
      return visibleText((await group.answer)[place], now());
    },
    async getMany(keys) {
      const wanted = keys.map((key) => {
        const field = encodeKey(key);
        const group = groupOf(key[0]);
        return { answer: group.answer, place: placeIn(group, field) };
      });
      const answers = [...new Set(wanted.map(({ answer }) => answer))];
      const found = await Promise.all(answers);
      return wanted.map(({ answer, place }) => visibleText(found[answers.indexOf(answer)]?.[place], now()));
    },
  };
}
