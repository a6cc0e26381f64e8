import type { RawBody } from "./verify-options.ts";
import { sign } from "./web/sign.ts";

export interface SignedHeadersOptions {
  /** The exact bytes that are sent. A string stands for its UTF-8 bytes. */
  readonly body: RawBody;
  /** The signing secret, the whole `whsec_…` string. */
  readonly secret: string;
  /** The event name, the same as in the body. */
  readonly event: string;
  /** Unique for the delivery. A retry keeps it. */
  readonly deliveryId: string;
  /**
   * Unix seconds, a whole number.
   * @default the current second
   */
  readonly timestamp?: number | undefined;
  /**
   * Marks a test sent from the console.
   * @default false
   */
  readonly test?: boolean | undefined;
}

/**
 * Returns all headers of a delivery (specification, section 6.3), `Content-Type` included. The event, delivery
 * and test headers are not signed.
 *
 * @throws SignatureError `no_secret`, `invalid_option` (the timestamp), `body_not_raw`
 */
export async function createSignedHeaders({
  body,
  secret,
  event,
  deliveryId,
  timestamp = Math.floor(Date.now() / 1000),
  test = false,
}: SignedHeadersOptions): Promise<Record<string, string>> {
  return {
    "Content-Type": "application/json",
    "X-Service-Event": event,
    "X-Service-Delivery": deliveryId,
    "X-Service-Timestamp": `${timestamp}`,
    "X-Service-Signature": await sign({ body, secret, timestamp }),
    ...(test && { "X-Service-Test": "1" }),
  };
}
