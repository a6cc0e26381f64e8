import { StorageError } from "../storage-error.ts";
import { compareAge, itemBase, parseItemName, type ItemName } from "./item-names.ts";
import type { Items } from "./items.ts";
import type { LogPosition } from "./journal.ts";
import { mapInParallel } from "./map-in-parallel.ts";
import {
  parseLogRecord,
  parseManifestRecord,
  parsePartRecord,
  type LogRecord,
  type ManifestRecord,
} from "./records.ts";
import type { RowChange } from "./row-text.ts";

/** What a storage was found to hold. */
export interface Recovered {
  readonly manifest: ManifestRecord | undefined;
  /** The last log item that counts; `undefined` in an empty storage. */
  readonly position: LogPosition | undefined;
  /** How much of the log lies behind the checkpoint, and so is replayed at every open until the next one. */
  readonly replayed: { readonly items: number; readonly size: number };
}

interface LogItem extends ItemName {
  readonly record: LogRecord;
  readonly size: number;
}

const readsAtOnce = 16;

/**
 * Reads the last whole checkpoint and replays the log behind it.
 *
 * A damaged item which nothing was written on top of had never been acknowledged: it was torn when its process died, and is
 * passed over. One that something was written on top of, or one that is missing, means that acknowledged commits are lost,
 * and is refused.
 *
 * @param options.apply takes the rows of the parts in any order, and then those of the log in theirs
 * @throws {StorageError} `corrupted` naming the item, `unavailable`
 */
export async function recover(options: {
  readonly items: Items;
  readonly names: readonly ItemName[];
  readonly apply: (row: RowChange, isReplayed: boolean) => void;
}): Promise<Recovered> {
  const { items, names, apply } = options;
  const { manifest, torn } = await readManifest(items, names);
  await readParts(items, manifest, (row) => apply(row, false));
  const through = manifest === undefined ? undefined : toPosition(manifest.through);
  const chain = await readChain(items, names, through).catch((error: unknown) => {
    // Without it the log is taken for the whole log, which begins too late.
    throw manifest === undefined && torn !== undefined ? damagedManifest(torn, error) : error;
  });
  // Until the first checkpoint is complete, the log reaches back to its beginning.
  if (manifest === undefined && chain.length === 0) {
    if (torn !== undefined) throw damagedManifest(torn);
    const part = names.find(({ kind }) => kind === "part");
    if (part !== undefined)
      throw corrupted(`The manifest that lists the item ${itemBase}:${part.name} is missing.`);
  }
  for (const { record } of chain) record.rows.forEach((row) => apply(row, true));
  return {
    manifest,
    position: chain.at(-1) ?? through,
    replayed: { items: chain.length, size: chain.reduce((sum, { size }) => sum + size, 0) },
  };
}

/** The latest whole manifest. One that is torn had not been completed: the one before it is then still there, with all it lists. */
async function readManifest(
  items: Items,
  names: readonly ItemName[],
): Promise<{ readonly manifest: ManifestRecord | undefined; readonly torn: string | undefined }> {
  const manifests = names.filter(({ kind }) => kind === "manifest").toSorted(compareAge);
  for (const { name } of manifests.toReversed()) {
    const found = await items.read(name);
    if (typeof found !== "string")
      return { manifest: parseManifestRecord(name, found.json), torn: undefined };
  }
  return { manifest: undefined, torn: manifests.at(-1)?.name };
}

async function readParts(
  items: Items,
  manifest: ManifestRecord | undefined,
  apply: (row: RowChange) => void,
): Promise<void> {
  const parts = (manifest?.parts ?? []).flatMap(({ name }) => name ?? []);
  await mapInParallel(parts, readsAtOnce, async (name) => {
    const found = await items.read(name);
    if (found === "absent") throw missing(name, "a part of the last checkpoint");
    if (found === "damaged") throw damaged(name, "a part of the last checkpoint");
    parsePartRecord(name, found.json).forEach(apply);
  });
}

async function readChain(
  items: Items,
  names: readonly ItemName[],
  through: LogPosition | undefined,
): Promise<readonly LogItem[]> {
  const behind = names.filter(({ kind, number }) => kind === "log" && number > (through?.number ?? 0));
  const broken = new Set<string>();
  const whole = new Map<string, LogItem>();
  await mapInParallel(behind, readsAtOnce, async (item) => {
    const found = await items.read(item.name);
    if (typeof found === "string") broken.add(item.name);
    else {
      const record = parseLogRecord(item.name, found.json);
      whole.set(item.name, { ...item, record, size: found.json.length });
    }
  });

  const followers = Map.groupBy(whole.values(), ({ record }) => record.previous);
  const chain: LogItem[] = [];
  const onChain = new Set<string | null>([through?.name ?? null]);
  for (let last: string | null = through?.name ?? null; ;) {
    // Of several that were written on top of one item, all but the latest had failed, or come too late.
    const next = followers.get(last)?.toSorted(compareAge).at(-1);
    if (next === undefined) break;
    chain.push(next);
    onChain.add((last = next.name));
  }
  for (const { name, record } of whole.values()) {
    const { previous } = record;
    if (previous === null || onChain.has(name) || onChain.has(previous)) continue;
    if (broken.has(previous)) throw damaged(previous, `and ${itemBase}:${name} was written on top of it`);
    if (whole.has(previous)) {
      throw corrupted(
        `Two processes have written to the storage at once: ${itemBase}:${name} goes on from an item that another history has passed over.`,
      );
    }
    if (toPosition(previous).number > (through?.number ?? 0))
      throw missing(previous, `on top of which ${itemBase}:${name} was written`);
  }
  return chain;
}

function toPosition(name: string): LogPosition {
  const item = parseItemName(name);
  if (item === undefined) throw damaged(name, "whose name means nothing");
  return { name, number: item.number };
}

function damagedManifest(name: string, cause?: unknown): StorageError {
  return damaged(name, "which lists the parts of the last checkpoint", cause);
}

function damaged(name: string, what: string, cause?: unknown): StorageError {
  return corrupted(`The item ${itemBase}:${name} is damaged, ${what}.`, cause);
}

function missing(name: string, what: string): StorageError {
  return corrupted(`The item ${itemBase}:${name} is missing, ${what}.`);
}

function corrupted(what: string, cause?: unknown): StorageError {
  return new StorageError(
    "corrupted",
    `${what} Acknowledged commits would be lost: restore the storage from a backup. Nothing has been changed in it.`,
    { cause },
  );
}
