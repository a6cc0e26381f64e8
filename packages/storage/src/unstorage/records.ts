import { StorageError } from "../storage-error.ts";
import { itemBase } from "./item-names.ts";
import { parseRow, type RowChange } from "./row-text.ts";

/**
 * What the items say, as JSON. `format` is raised when an older version could no longer read them.
 */
const format = 1;

/** One group of commits: what it changed, and the log item which it was applied on top of. */
export interface LogRecord {
  /** `null` for the first of all. */
  readonly previous: string | null;
  readonly rows: readonly RowChange[];
}

/** A part of a checkpoint as the manifest lists it: the rows from this encoded key up to the next part's. */
export interface PartEntry {
  readonly from: string;
  /** `undefined` for a part without rows, which has no item. */
  readonly name: string | undefined;
  /** Length of its rows' text. */
  readonly size: number;
}

export interface ManifestRecord {
  /** The parts hold everything up to this log item, and may hold some of what came later. */
  readonly through: string;
  readonly parts: readonly PartEntry[];
}

export function toLogText(previous: string | null, rowTexts: readonly string[]): string {
  return `{"format":${format},"previous":${JSON.stringify(previous)},"rows":[${rowTexts.join(",")}]}`;
}

export function toPartText(rowTexts: readonly string[]): string {
  return `{"format":${format},"rows":[${rowTexts.join(",")}]}`;
}

export function toManifestText({ through, parts }: ManifestRecord): string {
  return JSON.stringify({
    format,
    through,
    parts: parts.map(({ from, name, size }) => [from, name ?? null, size]),
  });
}

/** @throws {StorageError} `corrupted` */
export function parseLogRecord(name: string, json: string): LogRecord {
  const { previous, rows } = parseRecord(name, json);
  if (previous !== null && typeof previous !== "string") throw notUnderstood(name);
  return { previous, rows: parseRows(name, rows) };
}

/** @throws {StorageError} `corrupted` */
export function parsePartRecord(name: string, json: string): RowChange[] {
  return parseRows(name, parseRecord(name, json)["rows"]);
}

/** @throws {StorageError} `corrupted` */
export function parseManifestRecord(name: string, json: string): ManifestRecord {
  const { through, parts } = parseRecord(name, json);
  if (typeof through !== "string" || !Array.isArray(parts)) throw notUnderstood(name);
  return {
    through,
    parts: parts.map((part: unknown) => {
      const [from, item, size]: unknown[] = Array.isArray(part) ? part : [];
      if (typeof from !== "string" || typeof size !== "number") throw notUnderstood(name);
      if (item !== null && typeof item !== "string") throw notUnderstood(name);
      return { from, name: item ?? undefined, size };
    }),
  };
}

function parseRows(name: string, rows: unknown): RowChange[] {
  if (!Array.isArray(rows)) throw notUnderstood(name);
  return rows.map((row) => parseRow(row) ?? raise(notUnderstood(name)));
}

function parseRecord(name: string, json: string): Readonly<Record<string, unknown>> {
  const record: unknown = JSON.parse(json);
  if (typeof record !== "object" || record === null || !("format" in record)) throw notUnderstood(name);
  if (record.format !== format) {
    throw new StorageError(
      "corrupted",
      `The item ${itemBase}:${name} has the format ${JSON.stringify(record.format)}, and this version reads ${format}: open the storage with the version of @hookwright/storage that wrote it, or a later one.`,
    );
  }
  return { ...record };
}

function notUnderstood(name: string): StorageError {
  return new StorageError(
    "corrupted",
    `The item ${itemBase}:${name} is whole and yet says nothing that can be read: restore the storage from a backup.`,
  );
}

function raise(error: Error): never {
  throw error;
}
