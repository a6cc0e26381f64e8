import { createSignedHeaders } from "./create-signed-headers.ts";
import type { DeliveryEnvelope, KnownDeliveryBody } from "./webhook-event.ts";

export interface SignedRequestOptions {
  /** The body of the delivery: one of the known events, or any envelope. */
  readonly event: KnownDeliveryBody | DeliveryEnvelope<string, object>;
  /** The signing secret, the whole `whsec_…` string. */
  readonly secret: string;
  /** @default "https://receiver.example/webhooks" */
  readonly url?: string | undefined;
  /** @default a new `dlv_…` id */
  readonly deliveryId?: string | undefined;
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
