import type { StorageSpace } from "../port.ts";
import type { Link } from "./link.ts";

/** Returns the space within `maxmemory`, or `undefined` without this limit. */
export async function readMemorySpace(link: Pick<Link, "read">): Promise<StorageSpace | undefined> {
  const info = String(await link.read("info", ["memory"]));
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, "mu").exec(info)?.[1] ?? 0);
  const totalBytes = read("maxmemory");
  return totalBytes === 0
    ? undefined
    : { freeBytes: Math.max(0, totalBytes - read("used_memory")), totalBytes };
}
