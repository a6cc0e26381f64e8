import type { ClientErrorCode } from "./error-codes.ts";

/**
 * The part of `fetch` that the client uses: a URL in, a `Response` out. The client handles redirects, retries
 * and the time-out.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Describes a failed attempt that will be repeated. */
export interface RetryNotice {
  /** Method and path, without ids and filters: `GET /v1/orders/{id}`. */
  readonly operation: string;
  /** Attempts made so far, 1 or more. */
  readonly attempts: number;
  /** Milliseconds until the next one. */
  readonly delayMs: number;
  /** The error code of the attempt. */
  readonly code: ClientErrorCode;
  readonly status: number | undefined;
}

export interface ClientOptions {
  /**
   * The address of the API without `/v1`, with its base path, if any: `https://example.com/integrations`. It
   * must be `https:`, or `http:` on this machine (`localhost`, `127.0.0.1`, `[::1]`).
   */
  readonly baseUrl: string | URL;
  /** The complete key. It is sent only to `baseUrl`. */
  readonly apiKey: string;
  /** @default globalThis.fetch, as it is at each request */
  readonly fetch?: Fetch | undefined;
  /**
   * The time limit of one attempt in milliseconds, up to the last byte of the response. At most 300000,
   * because Node's `fetch` has this limit itself. @default 30000
   */
  readonly timeoutMs?: number | undefined;
  /** The largest number of retries. 0 disables retries. @default 3 */
  readonly retries?: number | undefined;
  /**
   * The longest wait in milliseconds. If the API requests a longer wait, the call fails at once. @default
   * 60000
   */
  readonly longestWaitMs?: number | undefined;
  /** The largest response in bytes. @default 64 MiB */
  readonly responseLimitBytes?: number | undefined;
  /** Allows `http:` to other machines, which exposes the key to the network. @default false */
  readonly allowHttp?: boolean | undefined;
  /**
   * Called and awaited before every wait, until the call's signal aborts. If it throws, the call fails with
   * that error. @default nothing
   */
  readonly onRetry?: ((notice: RetryNotice) => unknown) | undefined;
  /** Returns a number from 0 to 1 for the jitter of waits. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Waits for the given milliseconds, or until the signal aborts. @default setTimeout */
  readonly sleep?: ((delayMs: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Returns ms since the epoch, for dates in `Retry-After`. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** The options of every call. */
export interface CallOptions {
  /** Aborts the call, its retries and waits. The call fails with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}
