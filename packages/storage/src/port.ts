/** One part of a key after the partition: a well-formed string, or a safe integer (negative ones too). */
export type KeyPart = string | number;

/**
 * A key: the partition (`"p00"` to `"p63"`, see {@link partitionOf}), then any number of parts.
 *
 * Keys are ordered part by part: numbers before strings, numbers by value, strings by their UTF-8 bytes
 * (which is code point order), and a shorter key before a longer one that begins with it.
 */
export type Key = readonly [partition: string, ...parts: KeyPart[]];

/** A key and the text stored under it. */
export interface Entry {
  readonly key: Key;
  readonly value: string;
}

/** Which entries {@link Store.list} answers. */
export interface ListOptions {
  /** The entries whose keys begin with these parts; the key that equals the prefix is not among them. */
  readonly prefix: Key;
  /** Exclusive lower bound in key order, whatever `reverse` says. */
  readonly after?: Key | undefined;
  /** Exclusive upper bound in key order, whatever `reverse` says. */
  readonly before?: Key | undefined;
  /** The most entries to answer, a positive integer. */
  readonly limit: number;
  /** Descending order. @default false */
  readonly reverse?: boolean | undefined;
}

/** The commit happens only if the key still holds exactly this text; `undefined`: only if it is absent. */
export interface Check {
  readonly key: Key;
  readonly value: string | undefined;
}

/**
 * One change of one key.
 *
 * - `set` replaces the text and its expiry; `expiresAt` is in milliseconds since the epoch.
 * - `delete` removes the key; deleting an absent key is no fault. An adapter may keep the place of its expiry until that time:
 *   what is written and removed all day is better swept by its writer.
 * - `sum` adds `amount` (a safe integer) to the decimal integer text stored there; absent counts as 0.
 *   It keeps the expiry which the counter has, unless `expiresAt` is given.
 */
export type Mutation =
  | {
      readonly type: "set";
      readonly key: Key;
      readonly value: string;
      readonly expiresAt?: number | undefined;
    }
  | { readonly type: "delete"; readonly key: Key }
  | {
      readonly type: "sum";
      readonly key: Key;
      readonly amount: number;
      readonly expiresAt?: number | undefined;
    };

/** Changes that happen together, or not at all. */
export interface Commit {
  /** All of them must hold; they are judged before the first mutation. */
  readonly checks?: readonly Check[] | undefined;
  /** Applied in order; of two mutations of one key the later sees what the earlier did. */
  readonly mutations: readonly Mutation[];
  /** Tells those who {@link Store.watch} the partition; with keys of it, that it is beneath these that something is new. @default false */
  readonly wake?: boolean | readonly Key[] | undefined;
}

/** Told of a wake-up. Without keys anything in the partition may be new. */
export type WakeListener = (beneath?: readonly Key[]) => void;

/** `ok: false` names the first check that did not hold; nothing was written then. */
export type CommitResult = { readonly ok: true } | { readonly ok: false; readonly failed: Key };

/**
 * A small ordered key-value store with atomic, checked commits.
 *
 * Values are opaque texts of at most 16 MiB of UTF-8. Keys take at most 1,900 encoded bytes. Refused input and faults
 * reject with a `StorageError`; a failed check is a result.
 */
export interface Store extends AsyncDisposable {
  /** The text under a key; `undefined` where there is none or it has expired. */
  get(key: Key): Promise<string | undefined>;
  /** Several keys, of any partitions, in the order asked. Read at one moment where the adapter can. */
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
  /** A window of entries in key order. */
  list(options: ListOptions): Promise<Entry[]>;
  /** Applies a commit whose keys all lie in `partition`. Resolves when it is as durable as the adapter promises. */
  commit(partition: string, commit: Commit): Promise<CommitResult>;
  /**
   * Calls `listener` after commits with `wake` in the partition. Wake-ups may be merged or lost (a poll is the safety
   * net, once a second or every ten): where some may have been, as a connection was, call all listeners, without keys.
   * An adapter may leave the keys of any wake-up out; it never names some of those that it merges, and not the others.
   * Answers a function that ends the watch.
   */
  watch(partition: string, listener: WakeListener): () => void;
  /** Finishes the commits under way and releases everything. Closing twice is no fault. */
  close(): Promise<void>;
}

const textEncoder = new TextEncoder();

/**
 * The partition a text (an account id, say) belongs to: FNV-1a (32 bits) over its UTF-8 bytes, modulo 64.
 *
 * The mapping is part of the data's layout: it never changes.
 *
 * @example partitionOf("acc_1") // one of "p00" … "p63"
 */
export function partitionOf(text: string): string {
  if (text === lastText) return lastPartition;
  lastPartition = findPartition(text);
  lastText = text;
  return lastPartition;
}

/** One request, and one round of deliveries, is about one account: its key parts ask for the same text a dozen times. */
let lastText = "";
let lastPartition = findPartition(lastText);

function findPartition(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Ids are ASCII: only other texts need to be encoded.
    if (code > 0x7f) return hashBytes(text);
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return partitionName(hash);
}

function hashBytes(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of textEncoder.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return partitionName(hash);
}

function partitionName(hash: number): string {
  const number = (hash >>> 0) % 64;
  return number < 10 ? `p0${number}` : `p${number}`;
}

/** Every partition there is, in order. */
export const partitions: readonly string[] = Array.from(
  { length: 64 },
  (_, number) => `p${String(number).padStart(2, "0")}`,
);

/**
 * Whether two keys are the same: which check of a commit was refused, say.
 *
 * @example
 * if (!result.ok && isSameKey(result.failed, key)) return read(key);
 */
export function isSameKey(one: Key, other: Key): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
