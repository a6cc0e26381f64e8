import { setTimeout as delay } from "node:timers/promises";
import { checkLedger } from "@hookwright/delivery";
import type { Expectation, LedgerDamage } from "@hookwright/delivery";
import { partitions, StorageError } from "@hookwright/storage";
import type { Entry, Key, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { canOpen } from "../secrets/server-secret-match.ts";
import { createSecretBox } from "../secrets/secret-box.ts";
import type { SecretBox, ServerSecrets } from "../secrets/secret-box.ts";
import { readKinds } from "../store/read-kinds.ts";
import { counters, sealedValues, storeRules } from "./rules.ts";
import { createContentsCount } from "./store-contents.ts";
import type { StoreContents } from "./store-contents.ts";

/**
 * - `undecodable`: a row cannot be read.
 * - `missing`: a row that belongs to another one is missing, or contradicts it.
 * - `wrong_counter`: a counter differs from what it counts.
 * - `not_decryptable`: no given secret decrypts a value.
 */
export type DamageType = "undecodable" | "missing" | "wrong_counter" | "not_decryptable";

export interface Damage {
  readonly type: DamageType;
  readonly key: Key;
  /** The end of a sentence about the row: `has no entry in the delivery log`. */
  readonly problem: string;
}

export interface CheckStoreOptions {
  /** Only read. */
  readonly store: Store;
  /** Without them, encrypted values are not decrypted. */
  readonly secrets?: ServerSecrets | undefined;
  readonly onDamage: (damage: Damage) => void;
  /** Called after each page with the number of rows so far and the number of finished partitions. */
  readonly onProgress?:
    | ((progress: { readonly rows: number; readonly partitions: number }) => void)
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rows in memory at once. */
const pageSize = 100;
const confirmations = 3;
const confirmationPauseMs = 100;

/**
 * Reads a whole store and reports rows that are damaged or contradict others. Servers may use the store meanwhile: what looks
 * damaged is read again, at one moment with the rows that it contradicts.
 *
 * @returns what the store has
 * @throws StorageError if the storage fails
 */
export async function checkStore(options: CheckStoreOptions): Promise<StoreContents> {
  const { store, secrets, onDamage, onProgress, signal } = options;
  const box = secrets && createSecretBox(secrets);
  const contents = createContentsCount();
  let done = 0;
  for (const partition of partitions) {
    for (const kind of await readable([partition], () => readKinds(store, partition), onDamage)) {
      const prefix: Key = [partition, kind];
      for (let after: Key | undefined; ;) {
        signal?.throwIfAborted();
        const entries = await readable(prefix, () => readPage(store, prefix, after), onDamage);
        for (const damage of await findDamage(entries, { store, box, kind })) onDamage(damage);
        for (const { key } of entries) contents.add(kind, key);
        onProgress?.({ rows: contents.read().rows, partitions: done });
        after = entries.at(-1)?.key;
        // The first page of a kind may have one more row.
        if (entries.length < pageSize) break;
      }
    }
    done += 1;
  }
  return contents.read();
}

async function readPage(store: Store, prefix: Key, after: Key | undefined): Promise<readonly Entry[]> {
  const entries = await store.list({ prefix, after, limit: pageSize });
  if (after !== undefined) return entries;
  // A list by prefix does not include the row whose key equals the prefix.
  const value = await store.get(prefix);
  return value === undefined ? entries : [{ key: prefix, value }, ...entries];
}

/** Rows after one that the adapter cannot decode are not checked. */
async function readable<Row>(
  key: Key,
  read: () => Promise<readonly Row[]>,
  onDamage: CheckStoreOptions["onDamage"],
): Promise<readonly Row[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== "corrupted") throw error;
    onDamage({ type: "undecodable", key, problem: `has rows that cannot be read: ${error.message}` });
    return [];
  }
}

interface Context {
  readonly store: Store;
  readonly box: SecretBox | undefined;
  readonly kind: string;
}

async function findDamage(entries: readonly Entry[], context: Context): Promise<readonly Damage[]> {
  const { store, kind, box } = context;
  const damage: Damage[] = [];
  const expected: { readonly entry: Entry; readonly expectation: Expectation }[] = [];
  for (const entry of entries) {
    const decoded = decode(entry, kind, box);
    if (decoded.ok) for (const expectation of decoded.expected) expected.push({ entry, expectation });
    else if (await isStill(store, entry)) damage.push({ ...decoded.damage, key: entry.key });
    if (kind === "account") damage.push(...(await checkLedgerOf(entry, context)));
    const counter = await checkCounter(entry, context);
    if (counter !== undefined) damage.push(counter);
  }
  const wanted = expected.flatMap(({ expectation }) => expectation.keys);
  const texts = wanted.length === 0 ? [] : await store.getMany(wanted);
  let at = 0;
  const suspects = expected.filter(({ expectation }) => {
    const found = texts.slice(at, (at += expectation.keys.length));
    return !isMet(expectation, found);
  });
  const missing = await Promise.all(
    suspects.map(async ({ entry, expectation }): Promise<Damage[]> =>
      (await isConfirmed(store, entry, expectation))
        ? [{ type: "missing", key: entry.key, problem: expectation.problem }]
        : [],
    ),
  );
  return [...damage, ...missing.flat()];
}

type Decoded =
  | { readonly ok: true; readonly expected: readonly Expectation[] }
  | { readonly ok: false; readonly damage: Omit<Damage, "key"> };

/** What must be beside the row, or why it is damaged. */
function decode(entry: Entry, kind: string, box: SecretBox | undefined): Decoded {
  try {
    const expected = Object.hasOwn(storeRules, kind) ? (storeRules[kind]?.(entry) ?? []) : [];
    const sealed = Object.hasOwn(sealedValues, kind) ? (sealedValues[kind]?.(entry.value) ?? []) : [];
    if (box === undefined || sealed.every((value) => canOpen(box, value.sealed, value.context)))
      return { ok: true, expected };
    const problem = "has a value that the given server secret does not decrypt";
    return { ok: false, damage: { type: "not_decryptable", problem } };
  } catch (error) {
    // Errors of JSON.parse quote the row, which may contain personal data.
    const isOwn = error instanceof Error && !(error instanceof SyntaxError);
    const problem = `cannot be decoded: ${isOwn ? error.message : "it is not valid JSON"}`;
    return { ok: false, damage: { type: "undecodable", problem } };
  }
}

function isMet({ accepts = () => true }: Expectation, found: readonly (string | undefined)[]): boolean {
  const text = found.find((each) => each !== undefined);
  try {
    return text !== undefined && accepts(text);
  } catch {
    // The other row is reported for itself.
    return true;
  }
}

/** Whether the row is still there, and still without what it needs, in each of several reads. */
async function isConfirmed(store: Store, entry: Entry, expectation: Expectation): Promise<boolean> {
  for (let attempt = 0; attempt < confirmations; attempt++) {
    if (attempt > 0) await delay(confirmationPauseMs);
    const [value, ...found] = await store.getMany([entry.key, ...expectation.keys]);
    if (value !== entry.value || isMet(expectation, found)) return false;
  }
  return true;
}

async function isStill(store: Store, entry: Entry): Promise<boolean> {
  return (await store.get(entry.key)) === entry.value;
}

async function checkCounter({ key }: Entry, { store, kind }: Context): Promise<Damage | undefined> {
  const counter = Object.hasOwn(counters, kind) ? counters[kind] : undefined;
  if (counter === undefined) return undefined;
  let counted = 0;
  let stored: string | undefined;
  for (let attempt = 0; attempt < confirmations; attempt++) {
    if (attempt > 0) await delay(confirmationPauseMs);
    stored = await store.get(key);
    counted = await countRows(store, key, counter);
    if (stored === undefined || stored === String(counted)) return undefined;
  }
  return { type: "wrong_counter", key, problem: `is ${String(stored)}, but there are ${counted} rows` };
}

/** A ledger that cannot be read is reported by its rows. */
async function checkLedgerOf({ key }: Entry, { store }: Context): Promise<Damage[]> {
  const found = await checkLedger(store, String(key[2]), Date.now()).catch(
    (error: unknown): LedgerDamage[] => {
      if (error instanceof StorageError) throw error;
      return [];
    },
  );
  return found.map(({ at, pending, found: rows }) => ({
    type: "wrong_counter",
    key,
    problem: `has ${pending} pending events of ${new Date(at).toISOString()} in its ledger, but there are ${rows}`,
  }));
}

async function countRows(
  store: Store,
  key: Key,
  { prefix, counts }: NonNullable<(typeof counters)[string]>,
): Promise<number> {
  let counted = 0;
  // Rows that cannot be decoded are reported for themselves.
  for await (const entries of listPages(store, { prefix: prefix(key), pageSize }))
    counted += entries.filter(({ value }) => isCounted(() => counts(value, key))).length;
  return counted;
}

function isCounted(counts: () => boolean): boolean {
  try {
    return counts();
  } catch {
    return true;
  }
}
