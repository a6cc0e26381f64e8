/** A request of a known caller, as a request log keeps it. It holds no secret, no query and no body. */
export interface LoggedRequest {
  /** The value of `X-Request-Id`. */
  readonly id: string;
  readonly accountId: string;
  readonly method: string;
  /** Without base path and query; `hwk_***` stands for a key that somebody put into it. */
  readonly path: string;
  readonly status: number;
  /** Null for a success. */
  readonly errorCode: string | null;
  /** Name of the API key; null for the console. */
  readonly keyName: string | null;
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}
