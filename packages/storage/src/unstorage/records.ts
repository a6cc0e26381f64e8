import { StorageError } from "../storage-error.ts";
import { itemBase } from "./item-names.ts";
import { parseRow, type RowChange } from "./row-text.ts";

/** The format of the items' JSON. It is incremented when older versions cannot read it. */
const format = 1;

/** One group of commits: its changes and the preceding log item. */
export interface LogRecord {
  /** `null` for the first log item. */
  readonly previous: string | null;
  readonly rows: readonly RowChange[];
}

/** A part in a manifest: the rows from this encoded key to the next part. */
export interface PartEntry {
  readonly from: string;
  /** `undefined` for a part without rows, which has no item. */
  readonly name: string | undefined;
  /** The length of its rows as text. */
  readonly size: number;
}

export interface ManifestRecord {
  /** The parts contain all changes up to this log item, and may contain some later ones. */
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
  if (previous !== null && typeof previous !== "string") throw invalidItem(name);
  return { previous, rows: parseRows(name, rows) };
}

/** @throws {StorageError} `corrupted` */
export function parsePartRecord(name: string, json: string): RowChange[] {
  return parseRows(name, parseRecord(name, json)["rows"]);
}

/** @throws {StorageError} `corrupted` */
export function parseManifestRecord(name: string, json: string): ManifestRecord {
  const { through, parts } = parseRecord(name, json);
  if (typeof through !== "string" || !Array.isArray(parts)) throw invalidItem(name);
  return {
    through,
    parts: parts.map((part: unknown) => {
      const [from, item, size]: unknown[] = Array.isArray(part) ? part : [];
      if (typeof from !== "string" || typeof size !== "number") throw invalidItem(name);
      if (item !== null && typeof item !== "string") throw invalidItem(name);
      return { from, name: item ?? undefined, size };
    }),
  };
}

function parseRows(name: string, rows: unknown): RowChange[] {
  if (!Array.isArray(rows)) throw invalidItem(name);
  return rows.map((row) => parseRow(row) ?? raise(invalidItem(name)));
}

function parseRecord(name: string, json: string): Readonly<Record<string, unknown>> {
  const record: unknown = JSON.parse(json);
  if (typeof record !== "object" || record === null || !("format" in record)) throw invalidItem(name);
  if (record.format !== format) {
    throw new StorageError(
      "corrupted",
      `The item ${itemBase}:${name} has the format ${JSON.stringify(record.format)}, but this version reads only ${format}. Open the storage with the version of @hookwright/storage that wrote it, or a later one.`,
    );
  }
  return { ...record };
}

function invalidItem(name: string): StorageError {
  return new StorageError(
    "corrupted",
    `The item ${itemBase}:${name} has invalid contents. Restore the storage from a backup.`,
  );
}

function raise(error: Error): never {
  throw error;
}
