import { decodeKey } from "../keys/key-codec.ts";
import { toKeyRange } from "../keys/key-range.ts";
import type { Entry, ListOptions } from "../port.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { runScript } from "./run-script.ts";
import { listScript } from "./scripts/list-script.ts";

/** A window of entries, read in one round trip at one moment. */
export async function listEntries(
  options: ListOptions & {
    readonly link: Link;
    readonly keysOf: (partition: string) => PartitionKeys;
    readonly now: number;
  },
): Promise<Entry[]> {
  const { link, keysOf, now, limit, reverse = false } = options;
  const { prefix, from, to } = toKeyRange(options);
  if (to <= from) return [];
  const { rows, index } = keysOf(prefix.key[0]);
  const values = [String(now), `[${from}`, `(${to}`, String(limit), reverse ? "1" : "0"];
  const found = await runScript(link.readTogether, listScript, [rows, index], values);
  const entries: Entry[] = [];
  if (!Array.isArray(found)) return entries;
  for (let at = 0; at + 1 < found.length; at += 2) {
    entries.push({ key: decodeKey(String(found[at]), prefix), value: String(found[at + 1]) });
  }
  return entries;
}
