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

/** The contents of a storage. */
export interface Recovered {
  readonly manifest: ManifestRecord | undefined;
  /** The last valid log item, or `undefined` in an empty storage. */
  readonly position: LogPosition | undefined;
  /** The log after the checkpoint, which each open replays until the next checkpoint. */
  readonly replayed: { readonly items: number; readonly size: number };
}

interface LogItem extends ItemName {
  readonly record: LogRecord;
  readonly size: number;
}

const maxConcurrency = 16;

/**
 * Reads the last complete checkpoint and replays the log after it.
 *
 * A damaged item without a successor was never acknowledged, so it is skipped. A damaged or missing item with
 * a successor means that acknowledged commits are lost, so recovery fails.
 *
 * @param options.apply receives the rows of the parts in any order, then those of the log in order
 * @throws {StorageError} `corrupted` with the name of the item, `unavailable`
 */
export async function recover(options: {
  readonly items: Items;
  readonly names: readonly ItemName[];
  readonly apply: (row: RowChange, isReplayed: boolean) => void;
}): Promise<Recovered> {
  const { items, names, apply } = options;
  const { manifest, damagedName } = await readManifest(items, names);
  await readParts(items, manifest, (row) => apply(row, false));
  const through = manifest === undefined ? undefined : toPosition(manifest.through);
  const chain = await readChain(items, names, through).catch((error: unknown) => {
    // The log is incomplete because the checkpoint is damaged.
    throw manifest === undefined && damagedName !== undefined ? damagedManifest(damagedName, error) : error;
  });
  // Before the first checkpoint the log is complete.
  if (manifest === undefined && chain.length === 0) {
    if (damagedName !== undefined) throw damagedManifest(damagedName);
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

/**
 * Reads the latest undamaged manifest. A damaged one was never completed, so the previous one and its items
 * still exist.
 */
async function readManifest(
  items: Items,
  names: readonly ItemName[],
): Promise<{ readonly manifest: ManifestRecord | undefined; readonly damagedName: string | undefined }> {
  const manifests = names.filter(({ kind }) => kind === "manifest").toSorted(compareAge);
  for (const { name } of manifests.toReversed()) {
    const found = await items.read(name);
    if (typeof found !== "string")
      return { manifest: parseManifestRecord(name, found.json), damagedName: undefined };
  }
  return { manifest: undefined, damagedName: manifests.at(-1)?.name };
}

async function readParts(
  items: Items,
  manifest: ManifestRecord | undefined,
  apply: (row: RowChange) => void,
): Promise<void> {
  const parts = (manifest?.parts ?? []).flatMap(({ name }) => name ?? []);
  await mapInParallel(parts, maxConcurrency, async (name) => {
    const found = await items.read(name);
    if (found === "absent") throw missing(name, "and it is a part of the last checkpoint");
    if (found === "damaged") throw damaged(name, "and it is a part of the last checkpoint");
    parsePartRecord(name, found.json).forEach(apply);
  });
}

async function readChain(
  items: Items,
  names: readonly ItemName[],
  through: LogPosition | undefined,
): Promise<readonly LogItem[]> {
  const later = names.filter(({ kind, number }) => kind === "log" && number > (through?.number ?? 0));
  const broken = new Set<string>();
  const whole = new Map<string, LogItem>();
  await mapInParallel(later, maxConcurrency, async (item) => {
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
    // Of several successors all but the latest had failed or arrived late.
    const next = followers.get(last)?.toSorted(compareAge).at(-1);
    if (next === undefined) break;
    chain.push(next);
    onChain.add((last = next.name));
  }
  for (const { name, record } of whole.values()) {
    const { previous } = record;
    if (previous === null || onChain.has(name) || onChain.has(previous)) continue;
    if (broken.has(previous)) throw damaged(previous, `and ${itemBase}:${name} follows it`);
    if (whole.has(previous)) {
      throw corrupted(
        `Two processes have written to the storage at once: ${itemBase}:${name} continues an item that the other process did not use.`,
      );
    }
    if (toPosition(previous).number > (through?.number ?? 0))
      throw missing(previous, `and ${itemBase}:${name} follows it`);
  }
  return chain;
}

function toPosition(name: string): LogPosition {
  const item = parseItemName(name);
  if (item === undefined) throw damaged(name, "and its name is invalid");
  return { name, number: item.number };
}

function damagedManifest(name: string, cause?: unknown): StorageError {
  return damaged(name, "and it lists the parts of the last checkpoint", cause);
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
    `${what} Acknowledged commits would be lost. Restore the storage from a backup. The store has changed nothing.`,
    { cause },
  );
}
