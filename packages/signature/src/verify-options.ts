import type { HeadersInput } from "./read-service-headers.ts";

/** A body exactly as it was received. A string stands for its UTF-8 bytes. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

export interface VerifyOptions {
  /** The raw body, before any parsing: `await request.arrayBuffer()`, `express.raw()`, … */
  readonly body: RawBody;
  /** The request headers, in any shape. */
  readonly headers: HeadersInput;
  /** The signing secret, the whole `whsec_…` string; several while one is being rotated. */
  readonly secrets: string | readonly string[];
  /**
   * The largest allowed difference between the timestamp and `now`, in seconds.
   *
   * @default 300
   */
  readonly toleranceSeconds?: number | undefined;
  /**
   * The current time in Unix seconds, fractions allowed.
   * @default Date.now() / 1000
   */
  readonly now?: number | undefined;
  /**
   * The prefix of the header names, if the sender has one of its own: `X-Acme` for `X-Acme-Signature`.
   * @default "X-Service"
   */
  readonly headerPrefix?: string | undefined;
}
