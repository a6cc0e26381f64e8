import { randomInt } from "node:crypto";
import { encodeKey } from "../keys/key-codec.ts";
import type { Key } from "../port.ts";
import { emptyMarkOf, markField } from "./empty-marks.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { runScript } from "./run-script.ts";
import { readScript } from "./scripts/read-script.ts";
import { visibleText } from "./stored-text.ts";
import { createTextPlaces } from "./text-places.ts";
import type { TextPlaces } from "./text-places.ts";

/**
 * Reads rows. What is asked for in one turn of the event loop is one command for each partition, and a second where some of it may be
 * empty; either way it is read at one moment.
 */
export interface RowReads {
  get(key: Key): Promise<string | undefined>;
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
}

interface Group {
  /** A field asked for twice, the account of a hundred publishes say, is read once. */
  readonly fields: TextPlaces;
  /** For each field, where the mark of its kind stands among the fields; for a mark, none. */
  readonly markPlaces: (number | undefined)[];
  /** What is stored under each field. */
  readonly answer: Promise<readonly unknown[]>;
}

/** Lua unpacks fewer than 8,000, and marks come on top. */
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
    const markPlaces: Group["markPlaces"] = [];
    const answer = new Promise<readonly unknown[]>((resolve, reject) => {
      // More fields may be asked for until then.
      link.beforeFlush(() => {
        read(partition, { fields, markPlaces }).then(resolve, reject);
      });
    });
    const group = { fields, markPlaces, answer };
    groups.set(partition, group);
    return group;
  }

  /** Where the key's text will stand in the answer. */
  function placeOf({ fields, markPlaces }: Group, key: Key, field: string): number {
    const place = fields.placeOf(field);
    if (place < markPlaces.length) return place;
    const markPlace = fields.placeOf(markField(emptyMarkOf(key)));
    markPlaces[place] = markPlace;
    if (markPlace === markPlaces.length) markPlaces.push(undefined);
    return place;
  }

  async function read(
    partition: string,
    { fields: { texts }, markPlaces }: Pick<Group, "fields" | "markPlaces">,
  ): Promise<readonly unknown[]> {
    const { rows, index } = keysOf(partition);
    const stored = await link.read("hmget", [rows, ...texts]);
    if (!Array.isArray(stored)) return [];
    const mayBeEmpty = (markPlace: number | undefined, place: number): boolean =>
      stored[place] === null && markPlace !== undefined && stored[markPlace] !== null;
    if (!markPlaces.some(mayBeEmpty)) return stored;
    const withEmpty = await runScript(link.read, readScript, [rows, index], texts);
    return Array.isArray(withEmpty) ? withEmpty : [];
  }

  return {
    async get(key) {
      const field = encodeKey(key);
      const group = groupOf(key[0]);
      const place = placeOf(group, key, field);
      return visibleText((await group.answer)[place], now());
    },
    async getMany(keys) {
      // All before the first is asked for: a read that nobody waits for, since another key was refused, would fail unheard.
      const fields = keys.map((key) => encodeKey(key));
      const wanted = keys.map((key, index) => {
        const group = groupOf(key[0]);
        return { answer: group.answer, place: placeOf(group, key, fields[index] ?? "") };
      });
      const answers = [...new Set(wanted.map(({ answer }) => answer))];
      const found = await Promise.all(answers);
      return wanted.map(({ answer, place }) => visibleText(found[answers.indexOf(answer)]?.[place], now()));
    },
  };
}
