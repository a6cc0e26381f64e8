import { requireHeaderPrefix } from "./header-prefix.ts";
import { readServiceHeaders } from "./read-service-headers.ts";
import type { HeadersInput } from "./read-service-headers.ts";
import type { VerifyOptions } from "./verify-options.ts";

/** The data in the headers of a delivery, besides the event. */
export interface DeliveryFacts {
  /** Unique for the delivery. A retry keeps it, a resend has a new one. Not signed. */
  readonly deliveryId: string | undefined;
  /** Whether it is a test sent from the console. Not signed. */
  readonly test: boolean;
  /** Unix seconds when it was sent. Signed, so it can be trusted after `verify`. */
  readonly timestamp: number | undefined;
}

/**
 * Reads the delivery id, the test mark and the timestamp from request headers in any shape. It verifies nothing: call
 * `verify` first. Ignore duplicates by the `id` of the event, which is signed.
 *
 * @throws SignatureError `invalid_option` (the prefix)
 * @example
 * const { deliveryId, test } = readDeliveryFacts(request.headers);
 */
export function readDeliveryFacts(
  headers: HeadersInput,
  { headerPrefix }: Pick<VerifyOptions, "headerPrefix"> = {},
): DeliveryFacts {
  const found = readServiceHeaders(headers);
  const prefix = requireHeaderPrefix(headerPrefix).toLowerCase();
  const timestamp = found[`${prefix}-timestamp`] ?? "";
  return {
    deliveryId: found[`${prefix}-delivery`],
    test: found[`${prefix}-test`] === "1",
    timestamp: /^\d+$/.test(timestamp) ? Number(timestamp) : undefined,
  };
}
