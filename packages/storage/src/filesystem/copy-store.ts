import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StorageError } from "../storage-error.ts";
import { openDatabase, sharedNumberError } from "./database.ts";
import { assertUsableFiles, dataFile, directoryError, makeDirectory } from "./directory.ts";
import { giveToOwner } from "./file-access.ts";
import { loadLmdb } from "./load-lmdb.ts";

const progressIntervalMs = 500;

/**
 * Copies a filesystem store as it is at one moment, while others read and write it. The copy is a directory
 * that `openFilesystemStore` can open. It appears under its name when it is complete and flushed.
 *
 * @param options.to must not exist, or must be an empty directory
 * @param options.onDraft receives the path of the unfinished copy, next to `to`. A program that is
 *   interrupted can remove it
 * @param options.extra adds other files to the copy before it appears
 * @param options.onProgress receives the bytes written and the size of the original. The copy is smaller,
 *   because it omits free pages
 * @throws {StorageError} `directory_unusable` with the name of the directory; `in_use`, `missing_dependency`
 * @example
 * await copyFilesystemStore({ directory: "./data", to: "./backups/2026-11-21" });
 */
export async function copyFilesystemStore(options: {
  readonly directory: string;
  readonly to: string;
  readonly onDraft?: ((draft: string) => void) | undefined;
  readonly extra?: ((draft: string) => Promise<void>) | undefined;
  readonly onProgress?: ((bytes: number, ofBytes: number) => void) | undefined;
}): Promise<void> {
  const { onDraft = () => {}, extra = async () => {}, onProgress = () => {} } = options;
  const directory = resolve(options.directory);
  const to = resolve(options.to);
  const source = join(directory, dataFile);
  if (existsSync(directory)) assertUsableFiles(directory);
  // Opening a database creates it, so a mistyped name would create an empty store.
  if (!existsSync(source))
    throw unusable(directory, "it contains no store. Give the directory in which a store was opened.");
  if (existsSync(to) && !isEmptyDirectory(to))
    throw unusable(
      to,
      "it is not empty, and a copy overwrites nothing. Give a directory that does not exist.",
    );
  const lmdb = await loadLmdb();
  const draft = join(dirname(to), `.${basename(to)}.${randomBytes(6).toString("hex")}`);
  let isDraftMade = false;
  try {
    onDraft(draft);
    makeDirectory(dirname(to));
    await mkdir(draft, { mode: 0o700 });
    isDraftMade = true;
    giveToOwner(draft);
    const target = join(draft, dataFile);
    const { data, close } = openDatabase<Uint8Array, Uint8Array>({
      lmdb,
      directory,
      codec: { encoding: "binary", keyEncoding: "binary" },
    });
    const report = (): void => onProgress(sizeOf(target), sizeOf(source));
    const timer = setInterval(report, progressIntervalMs);
    try {
      // Compacted: the copy omits free pages.
      await data.backup(target, true).catch((error: unknown) => {
        const isShared = error instanceof Error && error.message.includes("temporarily unavailable");
        throw isShared ? sharedNumberError(directory) : error;
      });
      report();
    } finally {
      clearInterval(timer);
      await close();
    }
    await chmod(target, 0o600);
    await extra(draft);
    for (const name of readdirSync(draft)) giveToOwner(join(draft, name));
    await flush(target);
    await flush(draft);
    await rename(draft, to);
    await flush(dirname(to));
  } catch (cause) {
    if (isDraftMade) await rm(draft, { recursive: true, force: true });
    throw directoryError(dirname(to), cause);
  }
}

function isEmptyDirectory(path: string): boolean {
  return statSync(path).isDirectory() && readdirSync(path).length === 0;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function flush(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function unusable(path: string, why: string): StorageError {
  return new StorageError("directory_unusable", `The directory ${path} cannot be used: ${why}`);
}
