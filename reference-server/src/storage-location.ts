import { statSync } from "node:fs";
import { StorageError } from "@hookwright/storage";
import { parsePostgresUrl } from "@hookwright/storage/postgres";
import { parseRedisUrl } from "@hookwright/storage/redis";
import { hidePassword } from "@hookwright/domain";
import { describeUnstorage, parseUnstorage } from "./unstorage-driver.ts";
import type { UnstorageLocation } from "./unstorage-driver.ts";

/** The storage that `--storage` names. */
export type StorageLocation =
  | { readonly type: "memory" }
  | { readonly type: "file"; readonly directory: string }
  | { readonly type: "redis"; readonly url: string }
  | { readonly type: "postgres"; readonly url: string }
  | UnstorageLocation;

/**
 * Parses `memory`, `file:DIR`, `unstorage:DRIVER?…`, or a Redis or PostgreSQL URL. Undefined for anything else.
 *
 * @example parseStorageLocation("file:.hookwright") // { type: "file", directory: ".hookwright" }
 */
export function parseStorageLocation(text: string): StorageLocation | undefined {
  if (text === "memory") return { type: "memory" };
  if (text.startsWith("file:")) {
    const directory = toDirectory(text.slice("file:".length));
    return directory === undefined ? undefined : { type: "file", directory };
  }
  if (text.startsWith("unstorage:")) {
    const location = parseUnstorage(text);
    return typeof location === "string" ? undefined : location;
  }
  if (isValid(parseRedisUrl, text)) return { type: "redis", url: text };
  return isValid(parsePostgresUrl, text) ? { type: "postgres", url: text } : undefined;
}

function isValid(parse: (url: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}

/** `file:///var/lib` is accepted too. In `file://var/lib` the first name would be a host, so it is refused. */
function toDirectory(rest: string): string | undefined {
  const path = rest.startsWith("///") ? rest.slice(2) : rest;
  if (path === "" || path.startsWith("//") || path.includes("\0")) return undefined;
  return explainHome(path) === undefined ? path : undefined;
}

/** Suggests a correction for a text that names no storage, if possible. */
export function explainStorage(text: string): string | undefined {
  if (text.startsWith("file:")) return explainHome(text.slice("file:".length), "file:");
  if (text.startsWith("unstorage:")) {
    const problem = parseUnstorage(text);
    return typeof problem === "string" ? problem : undefined;
  }
  return /^\.{0,2}\//u.test(text) ? `Write a directory as file:${text}.` : undefined;
}

/**
 * Suggests a correction for a path that begins with `~`. In `--storage file:~/data` the shell does not replace it, and
 * it would become a folder of that name.
 *
 * @param before the text before the path
 */
export function explainHome(path: string, before = ""): string | undefined {
  if (!path.startsWith("~")) return undefined;
  const instead = path.startsWith("~/") ? `"${before}$HOME${path.slice(1)}"` : "the whole path";
  return `Only a shell replaces ~, and only at the beginning of a word. Write ${instead} (for a folder with the name ~, write ${before}./${path}).`;
}

/** A directory that this process may not reach is not missing. Opening it says whose it is. */
export function isMissingDirectory(location: StorageLocation): boolean {
  if (location.type !== "file") return false;
  try {
    return statSync(location.directory, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** The location without passwords. */
export function describeStorage(location: StorageLocation): string {
  if (location.type === "memory") return "memory";
  if (location.type === "unstorage") return describeUnstorage(location);
  return location.type === "file" ? `file:${location.directory}` : hidePassword(location.url);
}
