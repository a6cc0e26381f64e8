import type { Held } from "../commit/counter.ts";
import { decodeKey, encodeKey } from "../keys/key-codec.ts";
import type { Key } from "../port.ts";
import { corruptedItem, type Items } from "./items.ts";

/** The new state of a key: what is stored, or `undefined` after a removal. */
export interface RowChange {
  /** The encoded key. */
  readonly key: string;
  readonly held: Held | undefined;
}

/** An item of the log. It has values, so that a copy of a row needs none of the items before it. */
export interface LogRecord {
  readonly previous: string | undefined;
  /** The first item of the log. Earlier ones are not needed any more. */
  readonly start: string;
  /** Whether the rows are copies of earlier ones. */
  readonly isCopy: boolean;
  readonly rows: readonly RowChange[];
}

/** What is in a storage. */
export interface LogState {
  /** All items in order, also those that are not part of the log. */
  readonly names: readonly string[];
  /** The first item of the log, and the last one. `undefined`: the log is empty. */
  readonly start: string | undefined;
  readonly last: string | undefined;
  /** The number of items with commits. */
  readonly itemCount: number;
  /** The size of these items, and of those with copies, in characters. */
  readonly commitSize: number;
  readonly copySize: number;
}

const concurrency = 16;

export function toLogText({ rows, ...record }: LogRecord): string {
  const texts = rows.map(({ key, held }) =>
    held === undefined ? [decodeKey(key)] : [decodeKey(key), held.text, held.expiresAt],
  );
  return JSON.stringify({ ...record, rows: texts });
}

/**
 * Reads the log. An item without a successor was not acknowledged, unless it is the last one.
 *
 * @param apply receives the changes in order
 * @throws {StorageError} `corrupted` if an item that has a successor is damaged or missing, `unavailable`
 */
export async function replayLog(items: Items, apply: (change: RowChange) => void): Promise<LogState> {
  const names = (await items.list()).filter((name) => name.startsWith("log:"));
  const start = (await readTip(items, names))?.start;
  let [itemCount, commitSize, copySize] = [0, 0, 0];
  let last: string | undefined;
  /** The item that was read before. It is applied when its successor is known. */
  let pending: Found | undefined;
  const unread = new Map<string, Found["record"]>();

  function applyPending(): void {
    if (typeof pending?.record !== "object") return;
    const { name, record, size } = pending;
    for (const change of record.rows) apply(change);
    if (record.isCopy) copySize += size;
    else commitSize += size;
    itemCount += record.isCopy ? 0 : 1;
    last = name;
  }

  function follow(found: Found & { readonly record: LogRecord }): void {
    const { previous = found.record.start } = found.record;
    if (previous === pending?.name) applyPending();
    // If both have the same predecessor, the pending item had failed or arrived late.
    else if (pending === undefined ? found.name !== start : previous !== last) {
      const missing = pending === undefined ? (start ?? previous) : previous;
      const state =
        unread.get(missing) ??
        (names.includes(missing) ? "from another process that wrote at the same time" : "absent");
      throw corruptedItem(missing, `is ${state}, and ${found.name} follows it`);
    }
    pending = found;
  }

  const needed = names.filter((name) => start !== undefined && name >= start);
  for (let at = 0; at < needed.length; at += concurrency) {
    const batch = needed.slice(at, at + concurrency).map((name) => readItem(items, name));
    for (const { record, ...found } of await Promise.all(batch)) {
      if (typeof record === "object") follow({ ...found, record });
      else unread.set(found.name, record);
    }
  }
  applyPending();
  return { names, start, last, itemCount, commitSize, copySize };
}

/** Returns the last undamaged item. A damaged one after it was not acknowledged. */
async function readTip(items: Items, names: readonly string[]): Promise<LogRecord | undefined> {
  for (const name of names.toReversed()) {
    const { record } = await readItem(items, name);
    if (typeof record === "object") return record;
  }
  // The first item of a storage may be damaged, but not all of several.
  const later = names.find((name) => !name.endsWith("-0000000001"));
  if (later !== undefined) throw corruptedItem(later, "is damaged, and so are all others");
  return undefined;
}

interface Found {
  readonly name: string;
  readonly record: LogRecord | "absent" | "damaged";
  readonly size: number;
}

async function readItem(items: Items, name: string): Promise<Found> {
  const found = await items.read(name);
  if (typeof found === "string") return { name, record: found, size: 0 };
  return { name, record: parseRecord(JSON.parse(found.text)), size: found.text.length };
}

function parseRecord(value: unknown): LogRecord | "damaged" {
  if (typeof value !== "object" || value === null) return "damaged";
  const { previous, start, isCopy, rows }: Partial<Record<string, unknown>> = { ...value };
  if (typeof start !== "string" || !Array.isArray(rows)) return "damaged";
  return {
    previous: typeof previous === "string" ? previous : undefined,
    start,
    isCopy: isCopy === true,
    rows: rows.flatMap((row) => parseRow(row) ?? []),
  };
}

function parseRow(row: unknown): RowChange | undefined {
  const [key, text, expiresAt]: unknown[] = Array.isArray(row) ? row : [];
  if (!isKey(key)) return undefined;
  const expiry = typeof expiresAt === "number" ? expiresAt : undefined;
  return { key: encodeKey(key), held: typeof text === "string" ? { text, expiresAt: expiry } : undefined };
}

function isKey(value: unknown): value is Key {
  return Array.isArray(value) && value.every((part) => typeof part === "string" || typeof part === "number");
}
