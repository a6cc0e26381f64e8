import { randomInt } from "node:crypto";
import { encodeKey } from "../keys/key-codec.ts";
import type { Key } from "../port.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { visibleText } from "./stored-text.ts";
import { createTextPlaces } from "./text-places.ts";
import type { TextPlaces } from "./text-places.ts";

/** Reads rows. What is asked for in one turn of the event loop is one command for each partition, at one moment. */
export interface RowReads {
  get(key: Key): Promise<string | undefined>;
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
}

interface Group {
  /** A field asked for twice, the account of a hundred publishes say, is read once. */
  readonly fields: TextPlaces;
  readonly answer: Promise<readonly unknown[]>;
}

const mostFields = 4_000;
const seed = randomInt(2 ** 31);

export function createRowReads(options: {
  readonly link: Link;
  readonly keysOf: (partition: string) => PartitionKeys;
  readonly now: () => number;
}): RowReads {
  const { link, keysOf, now } = options;
  let groups = new Map<string, Group>();

  function groupOf(partition: string): Group {
    const open = groups.get(partition);
    if (open !== undefined && open.fields.texts.length < mostFields) return open;
    if (groups.size === 0) link.beforeFlush(() => (groups = new Map()));
    const fields = createTextPlaces(seed);
    const answer = new Promise<readonly unknown[]>((resolve, reject) => {
      // More fields may be asked for until then.
      link.beforeFlush(() => {
        link.read("hmget", [keysOf(partition).rows, ...fields.texts]).then((reply) => {
          resolve(Array.isArray(reply) ? reply : []);
        }, reject);
      });
    });
    const group = { fields, answer };
    groups.set(partition, group);
    return group;
  }

  return {
    async get(key) {
      const field = encodeKey(key);
      const group = groupOf(key[0]);
      const place = group.fields.placeOf(field);
      return visibleText((await group.answer)[place], now());
    },
    async getMany(keys) {
      // All before the first is asked for: a read that nobody waits for, since another key was refused, would fail unheard.
      const fields = keys.map((key) => encodeKey(key));
      const wanted = fields.map((field) => {
        const group = groupOf(field.slice(0, 3));
        return { answer: group.answer, place: group.fields.placeOf(field) };
      });
      const answers = [...new Set(wanted.map(({ answer }) => answer))];
      const found = await Promise.all(answers);
      return wanted.map(({ answer, place }) => visibleText(found[answers.indexOf(answer)]?.[place], now()));
    },
  };
}
