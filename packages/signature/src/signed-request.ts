import { requireHeaderPrefix } from "./header-prefix.ts";
import type { RawBody } from "./verify-options.ts";
import type { DeliveryEnvelope, KnownDeliveryBody } from "./webhook-event.ts";
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
  /**
   * The prefix of the header names.
   * @default "X-Service"
   */
  readonly headerPrefix?: string | undefined;
}

/**
 * Returns all headers of a delivery (specification, section 6.3), `Content-Type` included. The event, delivery
 * and test headers are not signed.
 *
 * @throws SignatureError `no_secret`, `invalid_option` (the timestamp or the prefix), `body_not_raw`
 */
export async function createSignedHeaders({
  body,
  secret,
  event,
  deliveryId,
  timestamp = Math.floor(Date.now() / 1000),
  test = false,
  headerPrefix,
}: SignedHeadersOptions): Promise<Record<string, string>> {
  const prefix = requireHeaderPrefix(headerPrefix);
  return {
    "Content-Type": "application/json",
    [`${prefix}-Event`]: event,
    [`${prefix}-Delivery`]: deliveryId,
    [`${prefix}-Timestamp`]: `${timestamp}`,
    [`${prefix}-Signature`]: await sign({ body, secret, timestamp }),
    ...(test && { [`${prefix}-Test`]: "1" }),
  };
}

export interface SignedRequestOptions extends Pick<
  SignedHeadersOptions,
  "secret" | "timestamp" | "test" | "headerPrefix"
> {
  /** The body of the delivery: one of the known events, or any envelope. */
  readonly event: KnownDeliveryBody | DeliveryEnvelope<string, object>;
  /** @default "https://receiver.example/webhooks" */
  readonly url?: string | undefined;
  /** @default a new `dlv_…` id */
  readonly deliveryId?: string | undefined;
}

/**
 * Builds a delivery as the service sends it, so that a receiver can be tried without the service.
 *
 * @throws SignatureError `no_secret`, `invalid_option` (the timestamp or the prefix)
 * @example
 * const response = await app.fetch(await createSignedRequest({ event, secret }));
 */
export async function createSignedRequest({
  event,
  url = "https://receiver.example/webhooks",
  deliveryId = `dlv_${crypto.randomUUID().replaceAll("-", "")}`,
  ...options
}: SignedRequestOptions): Promise<Request> {
  const body = JSON.stringify(event);
  const headers = await createSignedHeaders({ ...options, body, event: event.event, deliveryId });
  return new Request(url, { method: "POST", headers, body });
}
