import type { ClientErrorCode } from "./error-codes.ts";

/** The part of `fetch` that is used: a URL in, a `Response` out. Redirects, retries and the time-out come from the client. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Tells of an attempt that failed and will be repeated. */
export interface RetryNotice {
  /** Method and path, without ids and filters: `GET /v1/orders/{id}`. */
  readonly operation: string;
  /** Attempts made so far, 1 or more. */
  readonly attempts: number;
  /** Milliseconds until the next one. */
  readonly delayMs: number;
  /** What the attempt failed with. */
  readonly code: ClientErrorCode;
  readonly status: number | undefined;
}

export interface ClientOptions {
  /**
   * Where the API is, without `/v1`, with its base path if it has one: `https://example.com/integrations`. It must be
   * `https:`, or `http:` on this very machine (`localhost`, `127.0.0.1`, `[::1]`).
   */
  readonly baseUrl: string | URL;
  /** The whole key, as it was shown. It is sent to `baseUrl` alone. */
  readonly apiKey: string;
  /** @default globalThis.fetch, as it is at each request */
  readonly fetch?: Fetch | undefined;
  /**
   * Milliseconds for one attempt, from its start to the last byte of the answer; 300000 at the most, since Node's `fetch`
   * gives up by itself where nothing comes for as long. @default 30000
   */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated at the most; 0 repeats none. @default 3 */
  readonly retries?: number | undefined;
  /** Milliseconds. An API that asks for a longer wait is not waited for: the call fails at once. @default 60000 */
  readonly longestWaitMs?: number | undefined;
  /** Bytes of one answer. @default 64 MiB */
  readonly responseLimitBytes?: number | undefined;
  /** Permits `http:` to other machines, where everybody on the way can read the key. @default false */
  readonly allowHttp?: boolean | undefined;
  /**
   * Called ahead of every wait, and awaited, until the call's signal aborts; what it throws or rejects with, the call fails
   * with. @default nothing
   */
  readonly onRetry?: ((notice: RetryNotice) => unknown) | undefined;
  /** 0 up to 1, for the jitter of waits. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Waits for milliseconds, and ends early, either way, once the signal aborts. @default setTimeout */
  readonly sleep?: ((delayMs: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** What every call takes beside its arguments. */
export interface CallOptions {
  /** Ends the call, its retries and its waits; it fails with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}
