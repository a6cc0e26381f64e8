import { validationFailed } from "@hookwright/domain";
import type { Check, Entry, Key, Mutation, Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { hasRoomForSignIn, maximumSignIns } from "./find-sign-ins.ts";
import type { StaleSignIn } from "./find-sign-ins.ts";
import { renderSignInEntry } from "./sign-in-entry.ts";

/**
 * Maps e-mail addresses to accounts for the sign-in. Entries and accounts are in different partitions, so one commit cannot change
 * both. These invariants hold even after crashes and with concurrent changes:
 *
 * - Every account that can sign in has an entry. The entry is written before the account's row.
 * - No needed entry is removed. A removal first changes the account's mark, which every change of an account checks. So a concurrent
 *   change fails and adds its entry again. Every entry has a unique value, so the removal does not match the new entry.
 *
 * A crash may leave an obsolete entry. It is not counted after a minute, and the next sign-in removes it.
 *
 * At most eight accounts can have the same address. The guard row makes concurrent additions conflict.
 */
export interface SignInIndex {
  /**
   * Prepares a change of an account. Adds the entry of the new address, and returns the checks and mutations for the commit.
   *
   * @throws HookwrightError `validation_failed` if eight other accounts can sign in with the new address
   */
  prepare(change: SignInChange): Promise<PreparedSignIn>;
  /** Removes the entry of the previous address. Call it after the commit. */
  removeObsolete(entry: Entry): Promise<void>;
  /** Removes a stale entry, unless the account has changed since it was read. */
  removeStale(stale: StaleSignIn): Promise<void>;
}

export interface SignInChange {
  readonly accountId: string;
  /** The mark that was read together with the account's row. */
  readonly mark: string | undefined;
  /** The address of the account. Undefined if it cannot sign in. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface PreparedSignIn {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** Remove this entry after the commit. */
  readonly obsoleteEntry: Entry | undefined;
}

const markBytes = 12;
/** Much longer than a commit takes. */
const guardMs = 600_000;

export function createSignInIndex({
  store,
  randomBytes,
  now,
}: Pick<ServiceContext, "store" | "randomBytes" | "now">): SignInIndex {
  const newMark = (): string => Buffer.from(randomBytes(markBytes)).toString("base64url");

  /** @param isNew whether the account could not sign in with this address before */
  function addEntry(email: string, accountId: string, isNew: boolean): Promise<void> {
    const key = keys.accountOfEmail(email, accountId);
    const guard = keys.signInGuard(email);
    return commitUntilDone(store, key[0], async () => {
      const value = await store.get(guard);
      const at = now();
      if (isNew && !(await hasRoomForSignIn({ store, email, accountId, now: at }))) throw addressIsFull();
      return {
        commit: {
          checks: [{ key: guard, value }],
          mutations: [
            { type: "set", key, value: renderSignInEntry(newMark(), at) },
            { type: "set", key: guard, value: newMark(), expiresAt: at + guardMs },
          ],
        },
        result: undefined,
      };
    });
  }

  return {
    async prepare({ accountId, mark, before, after }) {
      const markKey = keys.signInMark(accountId);
      const checks = [{ key: markKey, value: mark }];
      const [old, present] = await Promise.all([
        before === undefined ? undefined : readEntry(store, keys.accountOfEmail(before, accountId)),
        after === undefined ? undefined : readEntry(store, keys.accountOfEmail(after, accountId)),
      ]);
      if (after !== undefined && (before !== after || present === undefined))
        await addEntry(after, accountId, before !== after);
      if (before === after) return { checks, mutations: [], obsoleteEntry: undefined };
      return { checks, mutations: [{ type: "set", key: markKey, value: newMark() }], obsoleteEntry: old };
    },

    removeObsolete: (entry) => remove(store, entry),

    async removeStale({ accountId, entry, account: { text, mark } }) {
      const markKey = keys.signInMark(accountId);
      const { ok } = await store.commit(markKey[0], {
        checks: [
          { key: keys.account(accountId), value: text },
          { key: markKey, value: mark },
        ],
        mutations: [{ type: "set", key: markKey, value: newMark() }],
      });
      if (ok) await remove(store, entry);
    },
  };
}

function addressIsFull(): Error {
  return validationFailed([
    `email: ${maximumSignIns} accounts with a password already have this address; use another address for this account`,
  ]);
}

async function readEntry(store: Store, key: Key): Promise<Entry | undefined> {
  const value = await store.get(key);
  return value === undefined ? undefined : { key, value };
}

/** Keeps an entry that was replaced since it was read. */
async function remove(store: Store, { key, value }: Entry): Promise<void> {
  await store.commit(key[0], { checks: [{ key, value }], mutations: [{ type: "delete", key }] });
}
