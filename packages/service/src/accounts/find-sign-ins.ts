import type { Entry, Key, Store } from "@hookwright/storage";
import { parseAccountRow } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { isRecentEntry } from "./sign-in-entry.ts";

export interface SignInCandidate {
  readonly row: AccountRow;
  readonly passwordHash: string;
}

export interface StaleSignIn {
  readonly accountId: string;
  readonly entry: Entry;
  /** Read after the entry, and they do not fit it. */
  readonly account: { readonly text: string; readonly mark: string | undefined };
}

export interface FoundSignIns {
  readonly candidates: readonly SignInCandidate[];
  /** Entries whose account has another address by now, or no password. */
  readonly stale: readonly StaleSignIn[];
}

/** The most accounts that can sign in with the same e-mail address. */
export const maximumSignIns = 8;
/** Removing one costs two commits, and the sign-in waits for them. */
const maximumStale = 8;
const pageSize = 32;
/** Everybody can cause these reads, so they are bounded, whatever is stored. */
const maximumPages = 8;

/** The accounts that can sign in with an address; the account's own row decides whether it is one. */
export async function findSignIns(store: Store, email: string): Promise<FoundSignIns> {
  const candidates: SignInCandidate[] = [];
  const stale: StaleSignIn[] = [];
  for await (const { candidate, unfit } of readSignIns(store, email)) {
    if (candidate !== undefined) candidates.push(candidate);
    if (unfit !== undefined) stale.push(unfit);
    if (candidates.length === maximumSignIns) break;
  }
  return { candidates, stale: stale.slice(0, maximumStale) };
}

export interface SignInCount {
  readonly store: Store;
  readonly email: string;
  /** Not counted itself. */
  readonly accountId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Whether one more account can sign in with an address. An account that is about to counts, too. */
export async function hasRoomForSignIn({ store, email, accountId, now }: SignInCount): Promise<boolean> {
  let count = 0;
  for await (const { entry, candidate } of readSignIns(store, email)) {
    if (entry.key.at(-1) === accountId) continue;
    if (candidate !== undefined || isRecentEntry(entry, now)) count += 1;
    if (count === maximumSignIns) return false;
  }
  return true;
}

interface Followed {
  readonly entry: Entry;
  readonly candidate?: SignInCandidate;
  readonly unfit?: StaleSignIn;
}

async function* readSignIns(store: Store, email: string): AsyncGenerator<Followed> {
  let after: Key | undefined;
  for (let page = 0; page < maximumPages; page++) {
    const entries = await store.list({ prefix: keys.accountsOfEmail(email), limit: pageSize, after });
    yield* await Promise.all(entries.map((entry) => follow(store, email, entry)));
    after = entries.at(-1)?.key;
    if (entries.length < pageSize) return;
  }
}

async function follow(store: Store, email: string, entry: Entry): Promise<Followed> {
  const accountId = String(entry.key.at(-1));
  const [text, passwordHash, mark] = await store.getMany([
    keys.account(accountId),
    keys.accountPassword(accountId),
    keys.signInMark(accountId),
  ]);
  // An account that is being created, or brought from another storage, comes after its entry.
  if (text === undefined) return { entry };
  const row = parseAccountRow(text);
  if (row.email === email && passwordHash !== undefined) return { entry, candidate: { row, passwordHash } };
  return { entry, unfit: { accountId, entry, account: { text, mark } } };
}
