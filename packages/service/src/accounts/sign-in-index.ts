import { validationFailed } from "@hookwright/domain";
import type { Check, Entry, Key, Mutation, Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { hasRoomForSignIn, maximumSignIns } from "./find-sign-ins.ts";
import type { StaleSignIn } from "./find-sign-ins.ts";
import { renderSignInEntry } from "./sign-in-entry.ts";

/**
 * Finds the accounts of an e-mail address for the login. An entry lies in the partition of the address, the account in one of
 * its own, so no commit changes both. What holds all the same, whoever dies or overtakes whom:
 *
 * - an account that can sign in has an entry: it is written before the account's row;
 * - an entry is removed only if no row can need it. Whoever removes one has first changed the account's mark, which every
 *   change of an account checks, so that a change prepared earlier fails and enters its address anew; and each entering
 *   writes a text of its own, so that an entry which came later than the mark is not the one that is removed.
 *
 * An entry that nobody needs may stay behind a crash. It counts for nothing after a minute, and goes when the login meets it.
 *
 * At most eight accounts have the same address. A new entry counts them, in a commit that fails if another account
 * was entered meanwhile.
 */
export interface SignInIndex {
  /**
   * Prepares a change of an account: enters the new address, and tells what belongs into the commit and what behind it.
   *
   * @throws HookwrightError `validation_failed` if eight other accounts can sign in with the new address
   */
  prepare(change: SignInChange): Promise<PreparedSignIn>;
  /** Removes the entry that a change has left behind. */
  removeLeft(entry: Entry): Promise<void>;
  /** Removes an entry that was met, unless the account changes at this moment. */
  removeStale(stale: StaleSignIn): Promise<void>;
}

export interface SignInChange {
  readonly accountId: string;
  /** As it was read together with the account's row. */
  readonly mark: string | undefined;
  /** The address under which the account can be found; undefined for one that cannot sign in. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface PreparedSignIn {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** To be removed once the commit is done. */
  readonly left: Entry | undefined;
}

const markBytes = 12;
/** Far longer than one commit takes. */
const guardMs = 600_000;

export function createSignInIndex({
  store,
  randomBytes,
  now,
}: Pick<ServiceContext, "store" | "randomBytes" | "now">): SignInIndex {
  const newMark = (): string => Buffer.from(randomBytes(markBytes)).toString("base64url");

  /** @param isNew whether the account could not sign in with this address before */
  function enter(email: string, accountId: string, isNew: boolean): Promise<void> {
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
        await enter(after, accountId, before !== after);
      if (before === after) return { checks, mutations: [], left: undefined };
      return { checks, mutations: [{ type: "set", key: markKey, value: newMark() }], left: old };
    },

    removeLeft: (entry) => remove(store, entry),

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
    `email: ${maximumSignIns} accounts with a password have this address already; use another address for this account`,
  ]);
}

async function readEntry(store: Store, key: Key): Promise<Entry | undefined> {
  const value = await store.get(key);
  return value === undefined ? undefined : { key, value };
}

/** One that has been entered anew since it was read stays. */
async function remove(store: Store, { key, value }: Entry): Promise<void> {
  await store.commit(key[0], { checks: [{ key, value }], mutations: [{ type: "delete", key }] });
}
