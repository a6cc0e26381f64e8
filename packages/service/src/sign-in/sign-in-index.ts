import { validationFailed } from "@hookwright/domain";
import { isSameKey } from "@hookwright/storage";
import type { Check, Entry, Key, Mutation, Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { createMark } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import { isActivePerson, parsePersonRow } from "../rows/person-row.ts";
import type { PersonRow } from "../rows/person-row.ts";
import { listPages } from "@hookwright/storage/sorted-runs";
import { commitUntilDone } from "../store/commit-until-done.ts";

/**
 * Maps e-mail addresses to accounts and their people for the sign-in. Entries and accounts are in different partitions, so one commit cannot change
 * both. These invariants hold even after crashes and with concurrent changes:
 *
 * - Every account that can sign in has an entry. The entry is written before the account's row.
 * - No needed entry is removed. A removal first changes the account's mark, which every change of an account checks. So a concurrent
 *   change fails and adds its entry again. Every entry has a unique value, so the removal does not match the new entry.
 *
 * A person gets an entry before the row becomes active, and keeps the address. Ids of people are never used again, so the entry of a
 * removed person is never needed.
 *
 * A crash may leave an obsolete entry. It is not counted after a minute, and the next sign-in removes it.
 *
 * At most eight accounts and eight people can have the same address. Each has a table, so that invitations cannot keep the owner of an address
 * out, and older versions do not remove people. The guard row makes concurrent additions conflict.
 */
export interface SignInIndex {
  /**
   * Prepares a change of an account. Adds the entry of the new address, and returns the checks and mutations for the commit.
   *
   * @throws HookwrightError `validation_failed` if eight other accounts can sign in with the new address
   */
  prepare(change: SignInChange): Promise<PreparedSignIn>;
  /**
   * Adds the entry of a person. Call it before the commit that makes the row active.
   *
   * @throws HookwrightError `validation_failed` if eight other people can sign in with the address
   */
  addPerson(person: SignInPerson): Promise<void>;
  /** Removes the entry of a person. Call it after the commit that removes the row. */
  removePerson(person: SignInPerson): Promise<void>;
  /** Removes the entry of the previous address. Call it after the commit. */
  removeObsolete(entry: Entry): Promise<void>;
  /** Removes a stale entry, unless the account has changed since it was read. */
  removeStale(stale: StaleSignIn): Promise<void>;
}

export interface SignInPerson {
  readonly accountId: string;
  readonly personId: string;
  readonly email: string;
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

/** Much longer than a commit takes. */
const guardMs = 600_000;

export function createSignInIndex({
  store,
  randomBytes,
  now,
}: Pick<ServiceContext, "store" | "randomBytes" | "now">): SignInIndex {
  /** @param isNew whether the account or person could not sign in with this address before */
  function addEntry(email: string, key: Key, isNew: boolean): Promise<void> {
    const guard = keys.signInGuard(email);
    return commitUntilDone(store, key[0], async () => {
      const value = await store.get(guard);
      const at = now();
      if (isNew && !(await hasRoomForSignIn({ store, key, now: at }))) throw addressIsFull(key);
      return {
        commit: {
          checks: [{ key: guard, value }],
          mutations: [
            { type: "set", key, value: renderSignInEntry(createMark(randomBytes), at) },
            { type: "set", key: guard, value: createMark(randomBytes), expiresAt: at + guardMs },
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
        await addEntry(after, keys.accountOfEmail(after, accountId), before !== after);
      if (before === after) return { checks, mutations: [], obsoleteEntry: undefined };
      return {
        checks,
        mutations: [{ type: "set", key: markKey, value: createMark(randomBytes) }],
        obsoleteEntry: old,
      };
    },

    addPerson: ({ accountId, personId, email }) =>
      addEntry(email, keys.personOfEmail(email, accountId, personId), true),

    async removePerson({ accountId, personId, email }) {
      const entry = await readEntry(store, keys.personOfEmail(email, accountId, personId));
      if (entry !== undefined) await remove(store, entry);
    },

    removeObsolete: (entry) => remove(store, entry),

    async removeStale({ accountId, entry, account }) {
      // The person may be joining, which adds the entry first. Joining later adds it again, with another value.
      if (account === undefined) return isRecentEntry(entry, now()) ? undefined : remove(store, entry);
      const { text, mark } = account;
      const markKey = keys.signInMark(accountId);
      const { ok } = await store.commit(markKey[0], {
        checks: [
          { key: keys.account(accountId), value: text },
          { key: markKey, value: mark },
        ],
        mutations: [{ type: "set", key: markKey, value: createMark(randomBytes) }],
      });
      if (ok) await remove(store, entry);
    },
  };
}

function addressIsFull([, table]: Key): Error {
  return validationFailed([
    table === "person-of-email"
      ? `email: this address has already joined ${maximumSignIns} times; leave one of these accounts, or ask for an invitation to another address`
      : `email: ${maximumSignIns} accounts with a password already have this address; use another address for this account`,
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

export interface SignInCandidate {
  readonly row: AccountRow;
  readonly passwordHash: string;
  /** The row of the person and its text. Undefined: the login of the account. */
  readonly person?: { readonly row: PersonRow; readonly text: string };
}

export interface StaleSignIn {
  readonly accountId: string;
  readonly entry: Entry;
  /** The account's row and mark, read after the entry. The row does not match the entry. Undefined: the entry is that of a person. */
  readonly account: { readonly text: string; readonly mark: string | undefined } | undefined;
}

export interface FoundSignIns {
  readonly candidates: readonly SignInCandidate[];
  /** Entries whose account now has another address or no password, and those of removed people. */
  readonly stale: readonly StaleSignIn[];
}

/** The most accounts that can sign in with the same e-mail address, and the most people. */
export const maximumSignIns = 8;
/** Removals per sign-in. Each costs two commits, and the sign-in waits for them. */
const maximumStale = 8;
const pageSize = 32;
/** Limits the reads, because unauthenticated clients can cause them. */
const maximumRead = 256;

/** The accounts and people that can sign in with an address. The row of the account or person must confirm the entry. */
export async function findSignIns(store: Store, email: string): Promise<FoundSignIns> {
  const prefixes = [keys.accountsOfEmail(email), keys.peopleOfEmail(email)];
  const found = await Promise.all(prefixes.map((prefix) => findIn(store, prefix)));
  return {
    candidates: found.flatMap(({ candidates }) => candidates),
    stale: found.flatMap(({ stale }) => stale).slice(0, maximumStale),
  };
}

async function findIn(store: Store, prefix: Key): Promise<FoundSignIns> {
  const candidates: SignInCandidate[] = [];
  const stale: StaleSignIn[] = [];
  for await (const { candidate, staleSignIn } of readSignIns(store, prefix)) {
    if (candidate !== undefined) candidates.push(candidate);
    if (staleSignIn !== undefined) stale.push(staleSignIn);
    if (candidates.length === maximumSignIns) break;
  }
  return { candidates, stale };
}

export interface SignInCount {
  readonly store: Store;
  /** The entry of the account or person, which is not counted. */
  readonly key: Key;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Whether one more account or person can sign in with an address. Those that are being added count as well. */
export async function hasRoomForSignIn({ store, key, now }: SignInCount): Promise<boolean> {
  const [partition, ...parts] = key;
  let count = 0;
  for await (const { entry, candidate } of readSignIns(store, [partition, ...parts.slice(0, 2)])) {
    if (isSameKey(entry.key, key)) continue;
    if (candidate !== undefined || isRecentEntry(entry, now)) count += 1;
    if (count === maximumSignIns) return false;
  }
  return true;
}

interface ResolvedEntry {
  readonly entry: Entry;
  readonly candidate?: SignInCandidate;
  readonly staleSignIn?: StaleSignIn;
}

async function* readSignIns(store: Store, prefix: Key): AsyncGenerator<ResolvedEntry> {
  const pages = listPages(store, { prefix, pageSize, maximum: maximumRead });
  for await (const entries of pages)
    yield* await Promise.all(entries.map((entry) => resolveEntry(store, entry)));
}

async function resolveEntry(store: Store, entry: Entry): Promise<ResolvedEntry> {
  const [, , email, account, personPart] = entry.key;
  const accountId = String(account);
  const personId = personPart === undefined ? undefined : String(personPart);
  const [text, passwordHash, mark, personText] = await store.getMany([
    keys.account(accountId),
    keys.accountPassword(accountId),
    keys.signInMark(accountId),
    ...(personId === undefined ? [] : [keys.person(accountId, personId)]),
  ]);
  // The account is being created or imported. Its row is written after the entry.
  if (text === undefined) return { entry };
  const row = parseAccountRow(text);
  if (personId !== undefined) {
    const person = personText === undefined ? undefined : parsePersonRow(personText);
    if (personText === undefined || person === undefined || !isActivePerson(person))
      return { entry, staleSignIn: { accountId, entry, account: undefined } };
    const candidate = { row, passwordHash: person.password, person: { row: person, text: personText } };
    return { entry, candidate };
  }
  if (row.email === email && passwordHash !== undefined) return { entry, candidate: { row, passwordHash } };
  return { entry, staleSignIn: { accountId, entry, account: { text, mark } } };
}

/** Much longer than a change of an account takes. */
const recentMs = 60_000;

/**
 * The value of an entry of the sign-in index. Every value is unique, so that the removal of an entry cannot remove a newer one.
 *
 * @param now milliseconds since the epoch
 */
export function renderSignInEntry(mark: string, now: number): string {
  return `${mark}.${now.toString(36)}`;
}

/** Whether the change that wrote an entry may still be in progress. Older versions wrote entries without a time. */
export function isRecentEntry({ value }: Entry, now: number): boolean {
  const [, time = ""] = value.split(".");
  return Math.abs(now - Number.parseInt(time, 36)) < recentMs;
}
