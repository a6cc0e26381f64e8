import { HookwrightError, isHostId } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { DirectoryKind } from "../rows/keys.ts";

/** Finds the account of a site, list or key. An entry never changes while there is something under its id. */
export interface Directory {
  /** What it need not look up. */
  known(kind: DirectoryKind, id: string): string | undefined;
  find(kind: DirectoryKind, id: string): Promise<string | undefined>;
  /**
   * Books an id for an account before its row is written: should the process die between the two, the same call made
   * again completes it, and nobody else can have taken the id.
   *
   * @throws HookwrightError `validation_failed` when another account has it
   */
  claim(kind: DirectoryKind, id: string, accountId: string): Promise<void>;
  /** Gives up an id of our own making that was claimed, and that surely nothing was written under. */
  release(kind: DirectoryKind, id: string): Promise<void>;
}

/** Of each kind. */
const maximumRemembered = 100_000;

export function createDirectory({ store }: { readonly store: Store }): Directory {
  const remembered: Readonly<Record<DirectoryKind, Map<string, string>>> = {
    project: new Map(),
    "email-list": new Map(),
    "api-key": new Map(),
  };

  function known(kind: DirectoryKind, id: string): string | undefined {
    return remembered[kind].get(id);
  }

  async function find(kind: DirectoryKind, id: string): Promise<string | undefined> {
    const accounts = remembered[kind];
    const found = accounts.get(id);
    if (found !== undefined) return found;
    if (!isHostId(id)) return undefined;
    const accountId = await store.get(keys.directory(kind, id));
    if (accountId === undefined) return undefined;
    if (accounts.size >= maximumRemembered) accounts.clear();
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
