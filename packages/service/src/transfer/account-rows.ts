import type { Entry, Key, KeyPart, Store } from "@hookwright/storage";
import { partitionOf, partitions } from "@hookwright/storage";
import { counterLifetimeMs } from "../audience/subscribe.ts";
import type { FingerprintRow } from "../rows/fingerprint.ts";

/** A row as it can be moved to another storage. */
export interface AccountRowEntry extends Entry {
  /** How long it lives in the storage that it is moved to, in milliseconds; `undefined`: until it is removed. */
  readonly lifetimeMs: number | undefined;
}

/** Rows that lie in partitions of their own, so that the account can be found by them; and whether one is an account's. */
const rowsElsewhere: Readonly<Record<string, (accountId: string, entry: Entry) => boolean>> = {
  "account-of-email": (accountId, { key }) => key[3] === accountId,
  directory: (accountId, { value }) => value === accountId,
  "key-fingerprint": (accountId, { value }) => {
    const row: FingerprintRow = JSON.parse(value);
    return row.account_id === accountId;
  },
};

/** Kinds in every partition that belong to no account, and what is of no use a minute or a day later. */
const leftOut: ReadonlySet<KeyPart> = new Set([
  ...Object.keys(rowsElsewhere),
  "suppression",
  "server-secret-check",
  "readiness",
  "lease",
  "lease-expiry",
  "worker",
  "request-window",
  "mail-count",
  "console-session",
  "sign-in-guard",
  "sign-in-window",
  "account-import",
]);

/** A storage does not tell when a row expires, so what expires begins its life anew where it is moved to. */
const lifetimesMs: ReadonlyMap<KeyPart, number> = new Map([["new-subscribers", counterLifetimeMs]]);

/** Kinds that come last, in this order: nobody sees the account, or is sent anything, before the rest is there. */
const lastKinds: readonly KeyPart[] = ["account", "retry", "fresh"];

const pageSize = 500;

/**
 * Every row of an account, wherever it lies, in an order in which they can be written one by one: what leads to the account,
 * what it has, then the account itself, then the deliveries that wait.
 *
 * Not at one moment: who needs that sees to it that nothing changes meanwhile.
 */
export async function* readAccountRows(options: {
  readonly store: Store;
  readonly accountId: string;
}): AsyncGenerator<AccountRowEntry> {
  const { store, accountId } = options;
  for (const partition of partitions) {
    for (const kind of Object.keys(rowsElsewhere)) {
      for await (const entry of readAll(store, [partition, kind]))
        if (isRowOfAccount(accountId, entry)) yield withLifetime(entry);
    }
  }
  const partition = partitionOf(accountId);
  const kinds = (await readKinds(store, partition)).filter((kind) => !leftOut.has(kind));
  const place = (kind: KeyPart): number => lastKinds.indexOf(kind);
  for (const kind of kinds.toSorted((left, right) => place(left) - place(right))) {
    // A row may have the account's id as its whole key, which is not below that prefix.
    const key: Key = [partition, kind, accountId];
    const value = await store.get(key);
    if (value !== undefined) yield withLifetime({ key, value });
    for await (const entry of readAll(store, key)) yield withLifetime(entry);
  }
}

/** Where whoever writes an account's rows into a storage, one by one, keeps how far that has come. It is no row of the account. */
export function accountImportKey(accountId: string): Key {
  return [partitionOf(accountId), "account-import", accountId];
}

/** Whether a row is one that {@link readAccountRows} would find for the account. */
export function isRowOfAccount(accountId: string, entry: Entry): boolean {
  const [partition, kind, owner] = entry.key;
  const elsewhere =
    typeof kind === "string" && Object.hasOwn(rowsElsewhere, kind) ? rowsElsewhere[kind] : undefined;
  if (elsewhere !== undefined) return elsewhere(accountId, entry);
  return (
    partition === partitionOf(accountId) && kind !== undefined && !leftOut.has(kind) && owner === accountId
  );
}

function withLifetime({ key, value }: Entry): AccountRowEntry {
  const [, kind] = key;
  return { key, value, lifetimeMs: kind === undefined ? undefined : lifetimesMs.get(kind) };
}

/** The second parts of all keys in a partition, at the cost of one look for each. */
async function readKinds(store: Store, partition: string): Promise<string[]> {
  const kinds: string[] = [];
  for (let after: Key = [partition]; ;) {
    const [entry] = await store.list({ prefix: [partition], after, limit: 1 });
    const kind = entry?.key[1];
    if (typeof kind !== "string") return kinds;
    kinds.push(kind);
    // Greater than every key that begins with this kind, and less than any other kind.
    after = [partition, `${kind}\0`];
  }
}

async function* readAll(store: Store, prefix: Key): AsyncGenerator<Entry> {
  for (let after: Key | undefined; ;) {
    const entries = await store.list({ prefix, limit: pageSize, after });
    yield* entries;
    after = entries.at(-1)?.key;
    if (entries.length < pageSize) return;
  }
}
