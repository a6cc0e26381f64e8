import type { RequestLogEntry, OnError } from "@hookwright/domain";
import { beginningOf, idsSince, toTimestamp } from "@hookwright/domain";
import type { Check, CommitResult, Entry, Key, Mutation, Store } from "@hookwright/storage";
import type { CursorCodec } from "@hookwright/cursor";
import { keys } from "../rows/keys.ts";
import { createRequestFilter } from "./request-filters.ts";
import type { RequestFilters } from "./request-filters.ts";
import { readIdPage } from "../store/id-page.ts";
import type { Page, PageRequest } from "../use-cases.ts";

/** One finished request that was made with an API key. Headers and query are left out, so the log has no keys and no personal data. */
export interface LoggedRequest {
  /** The value of `X-Request-Id`. */
  readonly id: string;
  readonly method: string;
  /** Truncated to 2,048 characters. */
  readonly path: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly keyId: string;
  readonly keyName: string;
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface RequestLog extends AsyncDisposable {
  /** Buffers a request. The buffer is written after 200 ms, or when this process reads the log. */
  add(accountId: string, request: LoggedRequest): void;
  /**
   * A page of the requests that match all filters, newest first. It reads a limited number of requests, so it may be short although there
   * are more.
   *
   * @throws HookwrightError `validation_failed`, `invalid_cursor`
   */
  list(accountId: string, page: PageRequest, filters?: RequestFilters): Promise<Page<RequestLogEntry>>;
  /** Removes the expired requests of an account in batches. Awaits `pause` between two batches. */
  sweep(accountId: string, pause: () => Promise<void>): Promise<void>;
  /** Writes the buffered requests. Later requests are dropped. */
  close(): Promise<void>;
}

export interface RequestLogOptions {
  readonly store: Store;
  readonly cursors: CursorCodec;
  readonly now: () => number;
  readonly onError: OnError;
  /** @default 30 days */
  readonly retentionMs?: number | undefined;
  /** Maximum number of requests kept for each account. @default 10,000 */
  readonly maximumKept?: number | undefined;
}

const defaultRetentionMs = 30 * 24 * 60 * 60 * 1_000;
const flushAfterMs = 200;
/** Bounds the row size. Every path of the contract is much shorter. */
const maximumPathLength = 2_048;
/** Bounds the memory if the store is slower than the requests. Newer requests are dropped. */
const maximumBuffered = 10_000;
const removalBatchSize = 500;
/** Requests that one page with filters reads. */
const maximumScanned = 2_500;

/**
 * The recent requests of each account, limited by age and count. They are written after the responses.
 *
 * The rows have no expiry time in the store. Rows removed early would leave expiry entries behind for a month.
 */
export function createRequestLog(options: RequestLogOptions): RequestLog {
  const { store, cursors, now, onError, retentionMs = defaultRetentionMs, maximumKept = 10_000 } = options;
  let buffer = new Map<string, LoggedRequest[]>();
  let count = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  function writeBuffer(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing = flushing.then(flush);
    return flushing;
  }

  async function flush(): Promise<void> {
    const batch = buffer;
    buffer = new Map();
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

  /** Removes the oldest requests above the maximum, in batches. */
  async function trim(accountId: string): Promise<void> {
    for (;;) {
      const counted = await readCount(accountId);
      if (Number(counted.value ?? 0) <= maximumKept + removalBatchSize) return;
      const oldest = await store.list({ prefix: keys.requests(accountId), limit: removalBatchSize });
      const isCounted = oldest.length === removalBatchSize;
      const { ok } = isCounted ? await remove(oldest, counted) : await correctCount(counted, oldest.length);
      // Another process changed the log of this account. It trims the log itself.
      if (!ok) return;
    }
  }

  async function readCount(accountId: string): Promise<Check> {
    const key = keys.requestCount(accountId);
    return { key, value: await store.get(key) };
  }

  /**
   * Removes entries and subtracts them from the count. The check of the count lets only one of several processes do so.
   *
   * @param counted was read before the entries
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

  /** Used when fewer requests exist than were counted. */
  async function correctCount(counted: Check, count: number): Promise<CommitResult> {
    const { key } = counted;
    return store.commit(key[0], {
      checks: [counted],
      mutations: [{ type: "set", key, value: String(count) }],
    });
  }

  /** Ids begin with the time of their request, so an id separates expired requests from the others. */
  function oldestVisibleId(): string {
    return idsSince("req", now() - retentionMs);
  }

  return {
    add(accountId, request) {
      // A response may end after the log and the store are closed.
      if (closed || count >= maximumBuffered) return;
      count += 1;
      const row = toRow(request);
      const requests = buffer.get(accountId);
      if (requests === undefined) buffer.set(accountId, [row]);
      else requests.push(row);
      timer ??= setTimeout(() => void writeBuffer(), flushAfterMs).unref();
    },
    async list(accountId, page, filters = {}) {
      const { key_id, method, status, path } = filters;
      const matches = createRequestFilter(filters);
      const isFiltered = [key_id, method, status, path].some((filter) => filter !== undefined);
      // A client that sends a request and then reads the log must find it.
      if (buffer.has(accountId)) await writeBuffer();
      else await flushing;
      return readIdPage(
        { store, cursors },
        {
          accountId,
          list: "requests",
          filters: { key_id, method, status, path },
          page,
          prefix: keys.requests(accountId),
          since: oldestVisibleId(),
          isShown: (text) => {
            const row: RequestRow = JSON.parse(text);
            return row.keyName !== null && matches(row);
          },
          maximumScanned: isFiltered ? maximumScanned : undefined,
          toRow: toEntry,
        },
      );
    },
    async sweep(accountId, pause) {
      const prefix = keys.requests(accountId);
      for (;;) {
        const counted = await readCount(accountId);
        const before: Key = [...prefix, oldestVisibleId()];
        const old = await store.list({ prefix, before, limit: removalBatchSize });
        if (old.length === 0) return;
        const { ok } = await remove(old, counted);
        if (!ok || old.length < removalBatchSize) return;
        await pause();
      }
    },
    async close() {
      closed = true;
      await writeBuffer();
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

/** Copies only the known fields, because the caller's object may have more. */
function toRow({
  id,
  method,
  path,
  status,
  errorCode,
  keyId,
  keyName,
  durationMs,
  createdAt,
}: LoggedRequest): LoggedRequest {
  const truncated = beginningOf(path, maximumPathLength);
  return { id, method, path: truncated, status, errorCode, keyId, keyName, durationMs, createdAt };
}

/** Older versions stored no key id. They also stored requests of the console, which have no key name. */
type RequestRow = Omit<LoggedRequest, "keyId" | "keyName"> & {
  readonly keyId?: string;
  readonly keyName: string | null;
};

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
