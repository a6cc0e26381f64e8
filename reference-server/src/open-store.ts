import type { Store } from "@hookwright/storage";
import { nameOf } from "./options/option.ts";
import { options } from "./options/options.ts";
import { ServerError } from "./server-error.ts";
import type { StorageLocation } from "./storage-location.ts";

/**
 * Opens what `--storage` names. Adapters are loaded when they are asked for: `memory` needs no native module.
 *
 * @param onWarning told of a storage that serves, and forgets
 * @throws {ServerError} `storage_unavailable`
 */
export async function openStore(
  location: StorageLocation,
  onWarning: (warning: string) => void,
): Promise<Store> {
  try {
    if (location.type === "memory") return (await import("@hookwright/storage/memory")).memoryStore();
    if (location.type === "file") {
      const { openFilesystemStore } = await import("@hookwright/storage/filesystem");
      return await openFilesystemStore({ directory: location.directory });
    }
    const { openRedisStore } = await import("@hookwright/storage/redis");
    return await openRedisStore({ url: location.url, onWarning });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ServerError("storage_unavailable", `${nameOf(options.storage)} cannot be opened. ${reason}`, {
      cause,
    });
  }
}
