import type { Store } from "@hookwright/storage";
import { openStore } from "../open-store.ts";
import type { Settings } from "../options/read-settings.ts";
import { checkTimeoutMs } from "./check.ts";
import { readStorageFacts } from "./read-storage-facts.ts";
import type { StorageFacts } from "./storage-facts.ts";

/** The storage as checks use it. It is opened as a server opens it, and at most once. */
export interface StorageAccess extends AsyncDisposable {
  /** @throws {ServerError} as `serve` does */
  open(): Promise<Store>;
  /** Undefined until it is open. */
  readonly store: () => Store | undefined;
  readonly facts: () => Promise<StorageFacts>;
}

/** @param given an open store of the storage, which its owner closes */
export function createStorageAccess(settings: Settings, given?: Store): StorageAccess {
  const { storage, poolSize } = settings;
  let store = given;
  let opening: Promise<Store> | undefined;
  let facts: Promise<StorageFacts> | undefined;
  return {
    async open() {
      if (given !== undefined) return given;
      opening ??= openStore(storage, { tlsFiles: settings, poolSize, onWarning: () => {} });
      return (store = await opening);
    },
    store: () => store,
    facts: () => (facts ??= readStorageFacts(storage, { tlsFiles: settings, timeoutMs: checkTimeoutMs })),
    async [Symbol.asyncDispose]() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
