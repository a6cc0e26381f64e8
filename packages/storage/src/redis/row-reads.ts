import { encodeKey } from "../keys/key-codec.ts";
import type { Key } from "../port.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { runScript } from "./run-script.ts";
import { readScript } from "./scripts/read-script.ts";

/**
 * Reads rows. Reads within one iteration of the event loop are one command for each partition and see one
 * snapshot.
 */
export interface RowReads {
  get(key: Key): Promise<string | undefined>;
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
}

interface Group {
  /** The place of each encoded key in the reply. A key that is requested several times is read once. */
  readonly places: Map<string, number>;
  readonly answer: Promise<readonly unknown[]>;
}

/** Lua's `unpack` is limited to fewer than 8,000 values. */
const maxKeys = 4_000;

export function createRowReads(options: {
  readonly link: Pick<Link, "read" | "beforeFlush">;
  readonly keysOf: (partition: string) => PartitionKeys;
  /** The time of the store's own clock, or "" for the clock of the server. */
  readonly now: () => string;
}): RowReads {
  const { link, keysOf, now } = options;
  let groups = new Map<string, Group>();

  function groupOf(partition: string): Group {
    const open = groups.get(partition);
    if (open !== undefined && open.places.size < maxKeys) return open;
    if (groups.size === 0) link.beforeFlush(() => (groups = new Map()));
    const places = new Map<string, number>();
    const answer = new Promise<readonly unknown[]>((resolve, reject) => {
      // Other calls may add keys until then.
      link.beforeFlush(() => {
        const { rows, index } = keysOf(partition);
        runScript(link.read, readScript, [rows, index], [now(), ...places.keys()]).then(
          (texts) => resolve(Array.isArray(texts) ? texts : []),
          reject,
        );
      });
    });
    const group = { places, answer };
    groups.set(partition, group);
    return group;
  }

  async function readText([partition]: Key, encoded: string): Promise<string | undefined> {
    const { places, answer } = groupOf(partition);
    const place = places.get(encoded) ?? places.size;
    places.set(encoded, place);
    const text = (await answer)[place];
    return typeof text === "string" ? text : undefined;
  }

  return {
    get: async (key) => readText(key, encodeKey(key)),
    async getMany(keys) {
      // All are encoded first, because an invalid key must not leave reads of the others.
      const encoded = keys.map((key) => encodeKey(key));
      return Promise.all(keys.map((key, index) => readText(key, encoded[index] ?? "")));
    },
  };
}
