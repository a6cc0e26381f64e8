/** One part of a key after the partition: a well-formed string or a safe integer. */
export type KeyPart = string | number;

/**
 * A key: the partition (`"p00"` to `"p63"`, see {@link partitionOf}), then any number of parts.
 *
 * Stores order keys part by part. Numbers come before strings. Numbers are ordered by value, strings by their UTF-8
 * bytes. A key comes before the longer keys that begin with it.
 */
export type Key = readonly [partition: string, ...parts: KeyPart[]];

/** A key and the text stored under it. */
export interface Entry {
  readonly key: Key;
  readonly value: string;
}

/** Which entries {@link Store.list} returns. */
export interface ListOptions {
  /** Only keys that begin with these parts. The prefix itself is not listed. */
  readonly prefix: Key;
  /** Only keys after this one in key order, also with `reverse`. The key need not exist. */
  readonly after?: Key | undefined;
  /** Only keys before this one in key order, also with `reverse`. The key need not exist. */
  readonly before?: Key | undefined;
  /** The largest number of entries to return, a positive integer. */
  readonly limit: number;
  /** Descending order. @default false */
  readonly reverse?: boolean | undefined;
  /**
   * Returns only the first entry of each group, or the last one with `reverse`. A group is all keys that agree in this
   * many parts after the prefix, a positive integer. A key with fewer parts is a group of its own.
   *
   * `after` and `before` then exclude the whole group of their key. `limit` counts groups. A group whose entries have
   * all expired is not listed. The cost must depend on the number of groups, not on the number of entries in them.
   */
  readonly groupBy?: number | undefined;
}

/** Which entries {@link Store.count} counts. */
export type CountOptions = Pick<ListOptions, "prefix" | "limit">;

/** A condition of a commit: the key must hold exactly this text, or no text if `value` is `undefined`. */
export interface Check {
  readonly key: Key;
  readonly value: string | undefined;
}

/**
 * A change of one key.
 *
 * - `set` replaces the text and the expiry of the key. `expiresAt` is a time in milliseconds since the epoch.
 *   `expiresInMs` is a positive integer: how long the entry lives by the clock of the store. Only one of them may be given.
 *   Without them, the entry does not expire.
 * - `delete` removes the key. The key may be absent.
 * - `sum` adds `amount` (a safe integer) to the decimal integer stored under the key. An absent key counts as 0. Without
 *   `expiresAt`, the key keeps its expiry.
 */
export type Mutation =
  | {
      readonly type: "set";
      readonly key: Key;
      readonly value: string;
      readonly expiresAt?: number | undefined;
      readonly expiresInMs?: number | undefined;
    }
  | { readonly type: "delete"; readonly key: Key }
  | {
      readonly type: "sum";
      readonly key: Key;
      readonly amount: number;
      readonly expiresAt?: number | undefined;
    };

/** Changes that a store applies together, or not at all. */
export interface Commit {
  /** All checks must hold before the first mutation. */
  readonly checks?: readonly Check[] | undefined;
  /** The store applies them in order. A later mutation of a key sees the result of an earlier one. */
  readonly mutations: readonly Mutation[];
  /** After the commit, the store calls its watchers with these keys. They lie in the commit's partition, and need not exist. */
  readonly notify?: readonly Key[] | undefined;
  /**
   * The ids of rows of {@link Store.outbox}, which the commit deletes. If one of them is gone, the store writes nothing and
   * throws `already_taken`. A store without an outbox refuses this field with `invalid_argument`.
   */
  readonly takes?: readonly string[] | undefined;
}

/** Receives the keys of {@link Commit.notify}, at least one. `undefined`: notifications may have been lost, anything may be new. */
export type NotificationListener = (keys: readonly Key[] | undefined) => void;

/** `ok: false` names the first check that failed. The store has then written nothing. */
export type CommitResult = { readonly ok: true } | { readonly ok: false; readonly failed: Key };

/**
 * A small ordered key-value store with atomic, checked commits.
 *
 * Values are texts of at most 16 MiB of UTF-8. Keys take at most 1,900 encoded bytes. Methods reject with a
 * `StorageError` if the input is invalid or the storage fails.
 *
 * Each store has one clock. An entry whose expiry is not after the current time is absent for every method at once,
 * whether or not the store has removed it.
 */
export interface Store extends AsyncDisposable {
  /** The kind of the store in one word, for metrics: `redis`. @default "custom" */
  readonly name?: string | undefined;
  /** Returns the text of a key, or `undefined` if the key is absent. */
  get(key: Key): Promise<string | undefined>;
  /** Returns the texts of keys of any partitions, in the given order. A store should read them at one moment if it can. */
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
  /** Returns entries in key order. */
  list(options: ListOptions): Promise<Entry[]>;
  /**
   * Counts the entries whose keys begin with `prefix`, at most `limit`. An entry that has expired may be counted until the
   * store has removed it. Costs far less than a list of them. @default readers list the entries
   */
  readonly count?: ((options: CountOptions) => Promise<number>) | undefined;
  /**
   * Applies a commit whose keys all lie in `partition`. Resolves when the commit is as durable as the store promises.
   *
   * @throws {StorageError} `unavailable` if the outcome is unknown. The caller must read before it repeats the commit.
   */
  commit(partition: string, commit: Commit): Promise<CommitResult>;
  /**
   * Calls the listener after each commit with `notify`, of any partition and of any process that shares the storage.
   * The call follows the commit: a listener that reads finds it. Returns a function that ends the watch.
   *
   * Notifications are hints. A store may merge, repeat and delay them. It may replace the keys by `undefined`. It must not
   * deliver only some keys of the notifications that it merges. If notifications may have been lost, for example with a
   * connection, it must call the listener with `undefined`. A crash of the committing process may lose its last
   * notifications without that.
   */
  watch(listener: NotificationListener): () => void;
  /** Reads how much space the storage has, for metrics. `undefined`: it has no limit, or does not say. */
  readonly readSpace?: (() => Promise<StorageSpace | undefined>) | undefined;
  /** Reads what the storage tells about itself, for `checkHookwright`. @default nothing is known */
  readonly readFacts?: (() => Promise<StorageFacts>) | undefined;
  /** The outbox in the same database, if the store has one. Only PostgreSQL has. */
  readonly outbox?: Outbox | undefined;
  /** Finishes running commits and releases all resources. Further calls do nothing. */
  close(): Promise<void>;
}

/** The space of a storage: of its disk, or of its memory. */
export interface StorageSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** What a storage tells about itself. */
export interface StorageFacts {
  /** `Redis 7.2.4`. Undefined: it has no server, or does not say. */
  readonly version?: string | undefined;
  /** What to use in place of a version that is too old: `Redis 7 or newer`. Undefined: it is new enough. */
  readonly tooOld?: string | undefined;
  /** Sentences about settings that may lose data, each with what to do. */
  readonly unsafe: readonly { readonly setting: string; readonly fix: string }[];
  /** The safe settings, in one sentence. */
  readonly safe: string;
  /** How far its clock is ahead of this machine, in milliseconds. Undefined: it has no clock of its own. */
  readonly clockAheadMs?: number | undefined;
}

/** A row of an outbox, as a host inserted it. */
export interface OutboxRow {
  /** A decimal integer. Rows are published in this order. */
  readonly id: string;
  readonly event: string;
  readonly projectId: string;
  /** JSON text. `undefined`: it has more than {@link OutboxSession.maximumBytes}. */
  readonly data: string | undefined;
  /** The trace of the insert, as a W3C `traceparent`. It is not checked. @default not traced */
  readonly traceParent?: string | undefined;
  /** The id of the event, which is not checked. @default that of its record */
  readonly eventId?: string | undefined;
}

/** Why a row is moved to the table of rejected rows. */
export interface OutboxRejection {
  readonly id: string;
  readonly code: string;
  readonly message: string;
}

/** A row of the table of rejected rows. Its `data` may be left out for its size, which depends on the call. */
export interface RejectedOutboxRow extends OutboxRow {
  /** Names this rejection. An id may come again after a restore of the database. */
  readonly key: string;
  readonly code: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly rejectedAt: number;
}

/** The table of rejected rows. Every function throws `unavailable` if the database fails. */
export interface OutboxRejections {
  /**
   * Returns rows, the highest id first. Rows with more than 64 KiB of JSON are read without `data`.
   *
   * @param options.before the `key` of the last row of the page before
   */
  list(options: {
    readonly before?: string | undefined;
    readonly limit: number;
  }): Promise<RejectedOutboxRow[]>;
  /** Rows with more than {@link OutboxSession.maximumBytes} of JSON are read without `data`. */
  get(key: string): Promise<RejectedOutboxRow | undefined>;
  /**
   * Moves a row back to the outbox in one transaction, behind all rows that wait. Of several calls, one succeeds.
   *
   * @param change.data JSON text. @default as it is
   * @returns the id of the new row, or `undefined` if the rejected row is gone
   */
  retry(
    key: string,
    change: { readonly projectId: string; readonly data?: string | undefined },
  ): Promise<string | undefined>;
  /** Returns whether it existed. */
  remove(key: string): Promise<boolean>;
  /** Counts rows up to `limit`. */
  count(limit: number): Promise<number>;
}

/** The right to relay an outbox. One process has it at a time. */
export interface OutboxSession extends Disposable {
  /** Rows whose data is larger are read without it. */
  readonly maximumBytes: number;
  /**
   * Returns rows in the order of their ids. Large rows may make them fewer, but at least one is returned if there is one.
   *
   * @param options.isAwake whether the caller polls. Then transactions do not call `onRows`, which costs them time, until a
   *   read without it. @default false
   * @throws {StorageError} `unavailable`. The session is then lost
   */
  read(options: {
    readonly after: string;
    readonly limit: number;
    readonly isAwake?: boolean | undefined;
  }): Promise<OutboxRow[]>;
}

/** A connection of a host, in a transaction of the host. */
export interface HostClient {
  query(text: string, values: string[]): PromiseLike<unknown>;
}

/** What waits in an outbox, and who has the right to relay it. */
export interface OutboxState {
  /** The row with the lowest id. */
  readonly oldest: { readonly id: string; readonly seconds: number } | undefined;
  /** The session of the database, as its administrator knows it. Undefined: no process relays. */
  readonly relay:
    | {
        readonly session: string;
        readonly program: string | undefined;
        readonly address: string | undefined;
      }
    | undefined;
}

/** A table in which hosts insert events in their own transactions. */
export interface Outbox {
  /** Equal for two connections to the same table. */
  readonly identity: string;
  /** The schema of its tables. */
  readonly schema: string;
  /**
   * Takes the right to relay, or returns `undefined` while another process has it.
   *
   * @param listener.notify whether transactions that insert rows call `onRows`. Without it they never do. @default true
   * @param listener.onRows called after rows were committed. Notifications may be lost, so poll too
   * @param listener.onLost called once if the connection is lost. Another process may relay then
   * @throws {StorageError} `unavailable`
   */
  openSession(listener: {
    readonly notify?: boolean | undefined;
    readonly onRows: () => void;
    readonly onLost: () => void;
  }): Promise<OutboxSession | undefined>;
  /** Moves rows to the table of rejected rows. Rows that are gone are skipped. @throws {StorageError} `unavailable` */
  reject(rejections: readonly OutboxRejection[]): Promise<void>;
  readonly rejected: OutboxRejections;
  /** Deletes rows after another store has their events. @throws {StorageError} `unavailable` */
  remove(ids: readonly string[]): Promise<void>;
  /** Deletes all rows of these sites, also rejected ones. @throws {StorageError} `unavailable` */
  removeOfProjects(projectIds: readonly string[]): Promise<void>;
  /**
   * Reads a value of the store over the connection of a host, and only over it. Returns `undefined` if that is not possible:
   * its role may not, its transaction may not see the newest rows, or the client returns no rows.
   *
   * @throws the error of the client, for example if the connection is lost
   */
  readOver(client: HostClient, key: Key): Promise<{ readonly value: string | undefined } | undefined>;
  /** @throws {StorageError} `unavailable` */
  readState(): Promise<OutboxState>;
  /** The age in seconds of the row with the lowest id, or 0 without rows. @throws {StorageError} `unavailable` */
  oldestSeconds(): Promise<number>;
}

const textEncoder = new TextEncoder();

/**
 * Returns the partition of a text, for example of an account id: FNV-1a (32 bits) over its UTF-8 bytes, modulo 64.
 *
 * The mapping is part of the data layout. It never changes.
 *
 * @example partitionOf("acc_1") // one of "p00" … "p63"
 */
export function partitionOf(text: string): string {
  // The keys of a commit ask for the partition of one account.
  if (last.text !== text) last = { text, partition: findPartition(text) };
  return last.partition;
}

let last = { text: "", partition: findPartition("") };

function findPartition(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Ids are ASCII. Only other texts must be encoded.
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

/** All partitions in order. */
export const partitions: readonly string[] = Array.from(
  { length: 64 },
  (_, number) => `p${String(number).padStart(2, "0")}`,
);

/**
 * Returns whether two keys are equal, for example to find out which check of a commit failed.
 *
 * @example
 * if (!result.ok && isSameKey(result.failed, key)) return read(key);
 */
export function isSameKey(one: Key, other: Key): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
