import { HookwrightError, isHostId } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { DirectoryKind } from "../rows/keys.ts";

/** Finds the account of a site, list or key. An entry never changes while its site, list or key exists. */
export interface Directory {
  /** The account, if it is cached. */
  known(kind: DirectoryKind, id: string): string | undefined;
  /** @param read reads the entry. @default from the store */
  find(
    kind: DirectoryKind,
    id: string,
    read?: (key: Key) => Promise<string | undefined>,
  ): Promise<string | undefined>;
  /**
   * Reserves an id for an account before its row is written. If the process dies in between, the same call again completes the
   * operation.
   *
   * @throws HookwrightError `validation_failed` if the id belongs to another account
   */
  claim(kind: DirectoryKind, id: string, accountId: string): Promise<void>;
  /** Releases a generated id. Call it only if no row was written for the id. */
  release(kind: DirectoryKind, id: string): Promise<void>;
}

/** Per kind. */
const maximumCached = 100_000;

export function createDirectory({ store }: { readonly store: Store }): Directory {
  const cache: Readonly<Record<DirectoryKind, Map<string, string>>> = {
    project: new Map(),
    "email-list": new Map(),
    "api-key": new Map(),
  };

  function known(kind: DirectoryKind, id: string): string | undefined {
    return cache[kind].get(id);
  }

  async function find(
    kind: DirectoryKind,
    id: string,
    read: (key: Key) => Promise<string | undefined> = (key) => store.get(key),
  ): Promise<string | undefined> {
    const accounts = cache[kind];
    const cached = accounts.get(id);
    if (cached !== undefined) return cached;
    if (!isHostId(id)) return undefined;
    const accountId = await read(keys.directory(kind, id));
    if (accountId === undefined) return undefined;
    if (accounts.size >= maximumCached) accounts.clear();
    accounts.set(id, accountId);
    return accountId;
  }

  async function claim(kind: DirectoryKind, id: string, accountId: string): Promise<void> {
    const key = keys.directory(kind, id);
    const claimed = await store.commit(key[0], {
      checks: [{ key, value: undefined }],
      mutations: [{ type: "set", key, value: accountId }],
    });
    if (claimed.ok) return;
    if ((await find(kind, id)) !== accountId)
      throw new HookwrightError("validation_failed", "id: is already taken");
  }

  async function release(kind: DirectoryKind, id: string): Promise<void> {
    const key = keys.directory(kind, id);
    await store.commit(key[0], { mutations: [{ type: "delete", key }] });
  }

  return { known, find, claim, release };
}
