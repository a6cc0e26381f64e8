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
  /** The account's row and mark, read after the entry. The row does not match the entry. */
  readonly account: { readonly text: string; readonly mark: string | undefined };
}

export interface FoundSignIns {
  readonly candidates: readonly SignInCandidate[];
  /** Entries whose account now has another address or no password. */
  readonly stale: readonly StaleSignIn[];
}

/** The most accounts that can sign in with the same e-mail address. */
export const maximumSignIns = 8;
/** Removals per sign-in. Each costs two commits, and the sign-in waits for them. */
const maximumStale = 8;
const pageSize = 32;
/** Limits the reads, because unauthenticated clients can cause them. */
const maximumPages = 8;

/** The accounts that can sign in with an address. The account's row must confirm the entry. */
export async function findSignIns(store: Store, email: string): Promise<FoundSignIns> {
  const candidates: SignInCandidate[] = [];
  const stale: StaleSignIn[] = [];
  for await (const { candidate, staleSignIn } of readSignIns(store, email)) {
    if (candidate !== undefined) candidates.push(candidate);
    if (staleSignIn !== undefined) stale.push(staleSignIn);
    if (candidates.length === maximumSignIns) break;
  }
  return { candidates, stale: stale.slice(0, maximumStale) };
}

export interface SignInCount {
  readonly store: Store;
  readonly email: string;
  /** This account is not counted. */
  readonly accountId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Whether one more account can sign in with an address. Accounts that are being added count as well. */
export async function hasRoomForSignIn({ store, email, accountId, now }: SignInCount): Promise<boolean> {
  let count = 0;
  for await (const { entry, candidate } of readSignIns(store, email)) {
    if (entry.key.at(-1) === accountId) continue;
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

async function* readSignIns(store: Store, email: string): AsyncGenerator<ResolvedEntry> {
  let after: Key | undefined;
  for (let page = 0; page < maximumPages; page++) {
    const entries = await store.list({ prefix: keys.accountsOfEmail(email), limit: pageSize, after });
    yield* await Promise.all(entries.map((entry) => resolveEntry(store, email, entry)));
    after = entries.at(-1)?.key;
    if (entries.length < pageSize) return;
  }
}

async function resolveEntry(store: Store, email: string, entry: Entry): Promise<ResolvedEntry> {
  const accountId = String(entry.key.at(-1));
  const [text, passwordHash, mark] = await store.getMany([
    keys.account(accountId),
    keys.accountPassword(accountId),
    keys.signInMark(accountId),
  ]);
  // The account is being created or imported. Its row is written after the entry.
  if (text === undefined) return { entry };
  const row = parseAccountRow(text);
  if (row.email === email && passwordHash !== undefined) return { entry, candidate: { row, passwordHash } };
  return { entry, staleSignIn: { accountId, entry, account: { text, mark } } };
}
