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

export interface SignedRequestOptions extends Pick<SignedHeadersOptions, "secret" | "timestamp" | "test"> {
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
 * @throws SignatureError `no_secret`, `invalid_option` (the timestamp)
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
