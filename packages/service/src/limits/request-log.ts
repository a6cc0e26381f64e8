import type { RequestLogEntry, OnError } from "@hookwright/domain";
import { beginningOf, idsSince, toTimestamp } from "@hookwright/domain";
import type { Check, CommitResult, Entry, Key, Mutation, Store } from "@hookwright/storage";
import type { CursorCodec } from "@hookwright/cursor";
import { keys } from "../rows/keys.ts";
import { readIdPage } from "../store/id-page.ts";
import type { Page, PageRequest } from "../use-cases.ts";

/** One finished request that was made with an API key. It has no headers and no query: neither keys nor personal data can get into the log. */
export interface LoggedRequest {
  /** The value of `X-Request-Id`. */
  readonly id: string;
  readonly method: string;
  /** Of a longer one the first 2,048 characters are kept. */
  readonly path: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly keyName: string;
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface RequestLog extends AsyncDisposable {
  /** Notes a request; it is written a moment later, together with others, or when somebody reads the log here. */
  add(accountId: string, request: LoggedRequest): void;
  list(accountId: string, page: PageRequest): Promise<Page<RequestLogEntry>>;
  /** Removes the requests of an account that are too old to be shown. `pause` is awaited between two windows of them. */
  sweep(accountId: string, pause: () => Promise<void>): Promise<void>;
  /** Writes what is still waiting. */
  close(): Promise<void>;
}

export interface RequestLogOptions {
  readonly store: Store;
  readonly cursors: CursorCodec;
  readonly now: () => number;
  readonly onError: OnError;
  /** @default 30 days */
  readonly retentionMs?: number | undefined;
  /** For each account. @default 10,000 */
  readonly maximumKept?: number | undefined;
}

const defaultRetentionMs = 30 * 24 * 60 * 60 * 1_000;
const flushAfterMs = 200;
/** No path of the contract comes near it. One of the size of a whole head, or of a `Request` that holds more, is cut. */
const longestPath = 2_048;
/** Should the store be slower than the requests, the newest are dropped from the log rather than kept in memory. */
const maximumWaiting = 10_000;
const removedTogether = 500;

/**
 * Recent requests of each account, bounded by age and count, written behind the answers. They have no expiry in the store: what is
 * removed for its number would leave a place among the expiries for a month, and a busy account a hundred times its log.
 */
export function createRequestLog(options: RequestLogOptions): RequestLog {
  const { store, cursors, now, onError, retentionMs = defaultRetentionMs, maximumKept = 10_000 } = options;
  let waiting = new Map<string, LoggedRequest[]>();
  let count = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  function writeWaiting(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing = flushing.then(flush);
    return flushing;
  }

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = new Map();
    count = 0;
    await Promise.all(
      [...batch].map(([accountId, requests]) =>
        write(accountId, requests).catch((error: unknown) =>
          onError(error, {
            account_id: accountId,
            requests: requests.length,
            code: "request_log_not_written",
          }),
        ),
      ),
    );
  }

  async function write(accountId: string, requests: readonly LoggedRequest[]): Promise<void> {
    const countKey = keys.requestCount(accountId);
    await store.commit(countKey[0], {
      mutations: [
        ...requests.map((request): Mutation => ({
          type: "set",
          key: [...keys.requests(accountId), request.id],
          value: JSON.stringify(request),
        })),
        { type: "sum", key: countKey, amount: requests.length },
      ],
    });
    await trim(accountId);
  }

  /** The oldest go, as many together as one commit should carry. */
  async function trim(accountId: string): Promise<void> {
    for (;;) {
      const counted = await readCount(accountId);
      if (Number(counted.value ?? 0) <= maximumKept + removedTogether) return;
      const oldest = await store.list({ prefix: keys.requests(accountId), limit: removedTogether });
      const isCounted = oldest.length === removedTogether;
      const { ok } = isCounted ? await remove(oldest, counted) : await correctCount(counted, oldest.length);
      // Another process writes or trims it too.
      if (!ok) return;
    }
  }

  async function readCount(accountId: string): Promise<Check> {
    const key = keys.requestCount(accountId);
    return { key, value: await store.get(key) };
  }

  /**
   * Of two processes that have read the same, one removes and counts them. Another may have read some of them behind requests that came
   * late, of a clock that is behind: the count tells that something has changed since.
   *
   * @param counted read before the entries were
   */
  async function remove(entries: readonly Entry[], counted: Check): Promise<CommitResult> {
    const { key } = counted;
    return store.commit(key[0], {
      checks: [counted, ...entries.slice(0, 1)],
      mutations: [
        ...entries.map((entry): Mutation => ({ type: "delete", key: entry.key })),
        { type: "sum", key, amount: -entries.length },
      ],
    });
  }

  /** Fewer are there than were counted. */
  async function correctCount(counted: Check, count: number): Promise<CommitResult> {
    const { key } = counted;
    return store.commit(key[0], {
      checks: [counted],
      mutations: [{ type: "set", key, value: String(count) }],
    });
  }

  /** Ids begin with the time of their request. */
  function oldestShown(): string {
    return idsSince("req", now() - retentionMs);
  }

  return {
    add(accountId, request) {
      // An answer may end after the log has: the store is closed by then.
      if (closed || count >= maximumWaiting) return;
      count += 1;
      const kept = toKept(request);
      const requests = waiting.get(accountId);
      if (requests === undefined) waiting.set(accountId, [kept]);
      else requests.push(kept);
      timer ??= setTimeout(() => void writeWaiting(), flushAfterMs).unref();
    },
    async list(accountId, page) {
      // Whoever asks for something and then looks finds it.
      if (waiting.has(accountId)) await writeWaiting();
      else await flushing;
      return readIdPage(
        { store, cursors },
        {
          accountId,
          list: "requests",
          page,
          prefix: keys.requests(accountId),
          since: oldestShown(),
          isShown: wasMadeWithKey,
          toRow: toEntry,
        },
      );
    },
    async sweep(accountId, pause) {
      const prefix = keys.requests(accountId);
      for (;;) {
        const counted = await readCount(accountId);
        const before: Key = [...prefix, oldestShown()];
        const old = await store.list({ prefix, before, limit: removedTogether });
        if (old.length === 0) return;
        const { ok } = await remove(old, counted);
        if (!ok || old.length < removedTogether) return;
        await pause();
      }
    },
    async close() {
      closed = true;
      await writeWaiting();
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

/** The fields of the row alone, whatever else the caller's object has: a copy of all but some costs twice as much. */
function toKept(request: LoggedRequest): LoggedRequest {
  const { id, method, path, status, errorCode, keyName, durationMs, createdAt } = request;
  const begun = beginningOf(path, longestPath);
  return { id, method, path: begun, status, errorCode, keyName, durationMs, createdAt };
}

/** Older versions also stored the console's own calls, without a key name. */
function wasMadeWithKey(text: string): boolean {
  const row: { readonly keyName: string | null } = JSON.parse(text);
  return row.keyName !== null;
}

function toEntry(text: string): RequestLogEntry {
  const row: LoggedRequest = JSON.parse(text);
  return {
    id: row.id,
    method: row.method,
    path: row.path,
    status: row.status,
    error_code: row.errorCode,
    key_name: row.keyName,
    duration_ms: row.durationMs,
    created_at: toTimestamp(row.createdAt),
  };
}
