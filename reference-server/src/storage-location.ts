import { StorageError } from "@hookwright/storage";
import { parseRedisUrl } from "@hookwright/storage/redis";

/** Where everything is kept, as `--storage` names it. */
export type StorageLocation =
  | { readonly type: "memory" }
  | { readonly type: "file"; readonly directory: string }
  | { readonly type: "redis"; readonly url: string };

/**
 * Reads `memory`, `file:DIR` or a Redis URL; undefined for anything else.
 *
 * @example parseStorageLocation("file:.hookwright") // { type: "file", directory: ".hookwright" }
 */
export function parseStorageLocation(text: string): StorageLocation | undefined {
  if (text === "memory") return { type: "memory" };
  if (text.startsWith("file:")) {
    const directory = toDirectory(text.slice("file:".length));
    return directory === undefined ? undefined : { type: "file", directory };
  }
  return isRedisUrl(text) ? { type: "redis", url: text } : undefined;
}

function isRedisUrl(text: string): boolean {
  try {
    parseRedisUrl(text);
    return true;
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}

/** `file:///var/lib` is a path as well; in `file://var/lib` the first name would be a host, and nobody means that. */
function toDirectory(rest: string): string | undefined {
  const path = rest.startsWith("///") ? rest.slice(2) : rest;
  if (path === "" || path.startsWith("//") || path.includes("\0")) return undefined;
  return explainHome(path) === undefined ? path : undefined;
}

/** What to write instead of a text that names no storage, where it can be told. */
export function explainStorage(text: string): string | undefined {
  if (text.startsWith("file:")) return explainHome(text.slice("file:".length), "file:");
  return /^\.{0,2}\//u.test(text) ? `A directory is written file:${text}.` : undefined;
}

/**
 * What to write instead of a path that begins with `~`, which a shell has not replaced, as in `--storage file:~/data`: it would
 * become a folder of that name.
 *
 * @param before what stands before the path
 */
export function explainHome(path: string, before = ""): string | undefined {
  if (!path.startsWith("~")) return undefined;
  const instead = path.startsWith("~/") ? `"${before}$HOME${path.slice(1)}"` : "the whole path";
  return `Only a shell replaces ~, and only where a word begins with it: write ${instead} (a folder that is called so is ${before}./${path}).`;
}

/** The location without the password that a URL may hold. */
export function describeStorage(location: StorageLocation): string {
  if (location.type === "memory") return "memory";
  return location.type === "file" ? `file:${location.directory}` : hidePassword(location.url);
}

/**
 * Up to the last `@`: a password that nobody percent-encoded may hold any character. From the first colon, since what is
 * refused may be a URL with a slash too few, or without a scheme. Some clients take one in the query, too.
 */
export function hidePassword(text: string): string {
  return text.replace(/(?<!\bfile)(:\/*).*@/su, "$1***@").replace(/\?.*/su, "?***");
}
