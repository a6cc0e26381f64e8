import type { CursorCodec } from "@hookwright/cursor";
import { idsSince } from "@hookwright/domain";
import type { OnError, OverviewPeriod, RequestCounts, RequestLogEntry } from "@hookwright/domain";
import type { Check, CommitResult, Entry, Key, Mutation, Store } from "@hookwright/storage";
import { readAccountRetention, toOwnRetention } from "../lookups/read-account.ts";
import { keys } from "../rows/keys.ts";
import { readIdPage } from "../store/id-page.ts";
import type { Page, PageRequest } from "../use-cases.ts";
import { countRequests } from "./count-requests.ts";
import { createRequestFilter, parseRequestPeriod } from "./request-filters.ts";
import type { RequestFilters, RequestPeriod } from "./request-filters.ts";
import { parseRequestRow, toEntry, toRequestRow } from "./request-row.ts";
import type { LoggedRequest } from "./request-row.ts";

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
  /**
   * Counts the requests that match all filters, of the newest 10,000.
   *
   * @param period counts only requests of the period that ends now, and returns their series
   * @throws HookwrightError `validation_failed`
   */
  count(accountId: string, filters?: RequestFilters, period?: OverviewPeriod): Promise<RequestCounts>;
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
/** Bounds the memory if the store is slower than the requests. At the limit, the account with the most loses its oldest. */
export const maximumBufferedRequests = 10_000;
const removalBatchSize = 500;
/** Batches that one commit removes at most. Each commit waits for the disk. */
const maximumBatches = 4;
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
    const prefix = keys.requests(accountId);
    await store.commit(countKey[0], {
      mutations: [
        ...requests.map((request): Mutation => ({
          type: "set",
          key: [...prefix, request.id],
          value: JSON.stringify(request),
        })),
        { type: "sum", key: countKey, amount: requests.length },
      ],
    });
    await trim(accountId);
  }

  /** Removes the oldest requests above the maximum, in batches. */
  async function trim(accountId: string): Promise<void> {
    const countKey = keys.requestCount(accountId);
    for (;;) {
      const [value, account] = await store.getMany([countKey, keys.account(accountId)]);
      const counted = { key: countKey, value };
      const kept = toOwnRetention(account).requestsKept ?? maximumKept;
      const batches = Math.ceil((Number(value ?? 0) - kept) / removalBatchSize) - 1;
      if (batches <= 0) return;
      const limit = Math.min(batches, maximumBatches) * removalBatchSize;
      const oldest = await store.list({ prefix: keys.requests(accountId), limit });
      const isCounted = oldest.length === limit;
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
  async function oldestVisibleId(accountId: string): Promise<string> {
    const own = await readAccountRetention(store, accountId);
    return idsSince("req", now() - (own.retentionMs ?? retentionMs));
  }

  async function toIdRange(accountId: string, { since, until }: RequestPeriod) {
    const oldest = await oldestVisibleId(accountId);
    const first = since === undefined ? oldest : idsSince("req", since);
    return {
      since: first > oldest ? first : oldest,
      until: until === undefined ? undefined : idsSince("req", until),
    };
  }

  /** A client that sends a request and then reads the log must find it. */
  async function writeOwn(accountId: string): Promise<void> {
    if (buffer.has(accountId)) await writeBuffer();
    else await flushing;
  }

  return {
    add(accountId, request) {
      // A response may end after the log and the store are closed.
      if (closed) return;
      const requests = buffer.get(accountId) ?? [];
      buffer.set(accountId, requests);
      requests.push(toRequestRow(request));
      if (count < maximumBufferedRequests) count += 1;
      else findLongest(buffer.values())?.shift();
      timer ??= setTimeout(() => void writeBuffer(), flushAfterMs).unref();
    },
    async list(accountId, page, filters = {}) {
      const { key_id, method, status, path, since, until } = filters;
      const matches = createRequestFilter(filters);
      const range = await toIdRange(accountId, parseRequestPeriod(filters));
      const isFiltered = [key_id, method, status, path].some((filter) => filter !== undefined);
      await writeOwn(accountId);
      return readIdPage(
        { store, cursors },
        {
          accountId,
          list: "requests",
          filters: { key_id, method, status, path, since, until },
          page,
          prefix: keys.requests(accountId),
          ...range,
          isShown: (text) => {
            const row = parseRequestRow(text);
            return row.keyName !== null && matches(row);
          },
          maximumScanned: isFiltered ? maximumScanned : undefined,
          toRow: toEntry,
        },
      );
    },
    async count(accountId, filters = {}, period) {
      const matches = createRequestFilter(filters);
      const range = await toIdRange(accountId, parseRequestPeriod(filters));
      await writeOwn(accountId);
      return countRequests(store, {
        prefix: keys.requests(accountId),
        ...range,
        period,
        now: now(),
        toCounted: (text) => {
          const row = parseRequestRow(text);
          return row.keyName !== null && matches(row) ? row : undefined;
        },
      });
    },
    async sweep(accountId, pause) {
      const prefix = keys.requests(accountId);
      const oldest = await oldestVisibleId(accountId);
      for (;;) {
        const counted = await readCount(accountId);
        const before: Key = [...prefix, oldest];
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

function findLongest<List extends readonly unknown[]>(lists: Iterable<List>): List | undefined {
  let longest: List | undefined;
  for (const list of lists) if (list.length > (longest?.length ?? 0)) longest = list;
  return longest;
}
