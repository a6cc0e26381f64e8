import type { Entry, Key, Store } from "@hookwright/storage";
import type { StaleSignIn } from "../accounts/sign-in-index.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";

export interface SignInCandidate {
  readonly row: AccountRow;
  readonly passwordHash: string;
}

export interface FoundSignIns {
  readonly candidates: readonly SignInCandidate[];
  /** Entries whose account has another address by now, or no password. */
  readonly stale: readonly StaleSignIn[];
}

/** Accounts with one and the same address: each costs a derivation. */
const maximumCandidates = 8;
/** Removing one costs two commits, and whoever signs in waits for them. */
const maximumStale = 8;
const pageSize = 32;
/** Anybody may ask: what is read for it is bounded, whatever lies there. */
const maximumPages = 8;

/** The accounts that can sign in with an address; the account's own row decides whether it is one. */
export async function findSignIns(store: Store, email: string): Promise<FoundSignIns> {
  const candidates: SignInCandidate[] = [];
  const stale: StaleSignIn[] = [];
  let after: Key | undefined;
  for (let page = 0; page < maximumPages && candidates.length < maximumCandidates; page++) {
    const entries = await store.list({ prefix: keys.accountsOfEmail(email), limit: pageSize, after });
    const looked = await Promise.all(entries.map((entry) => follow(store, email, entry)));
    for (const { candidate, unfit } of looked) {
      if (candidate !== undefined) candidates.push(candidate);
      if (unfit !== undefined) stale.push(unfit);
    }
    after = entries.at(-1)?.key;
    if (entries.length < pageSize) break;
  }
  return { candidates: candidates.slice(0, maximumCandidates), stale: stale.slice(0, maximumStale) };
}

interface Followed {
  readonly candidate?: SignInCandidate;
  readonly unfit?: StaleSignIn;
}

async function follow(store: Store, email: string, entry: Entry): Promise<Followed> {
  const accountId = String(entry.key.at(-1));
  const [text, passwordHash, mark] = await store.getMany([
    keys.account(accountId),
    keys.accountPassword(accountId),
    keys.signInMark(accountId),
  ]);
  // An account that is being created, or brought from another storage, comes after its entry.
  if (text === undefined) return {};
  const row = parseAccountRow(text);
  if (row.email === email && passwordHash !== undefined) return { candidate: { row, passwordHash } };
  return { unfit: { accountId, entry, account: { text, mark } } };
}
