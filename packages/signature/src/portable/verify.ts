import { decodeBase64Body, explainRefusal } from "../explain-refusal.ts";
import { readServiceHeaders } from "../read-service-headers.ts";
import { verify as verifyLean } from "../verify.ts";
import type { VerifyOptions } from "../verify-options.ts";
import type { NoOwnEvents, OwnEventData, WebhookEvent } from "../webhook-event.ts";

/**
 * Returns the event of a delivery whose signature and timestamp are right, with WebCrypto alone.
 *
 * The timestamp may differ from `now` by up to `toleranceSeconds`, in both directions. One of the `v1=` values must
 * match under one of the secrets (specification, section 5). The event is read from the signed body. `event.test` is
 * read from a header that is not signed.
 *
 * @throws SignatureError with one of the codes of `SignatureErrorCode`; its message names the likely mistake
 * @example
 * const event = await verify({ body: await request.arrayBuffer(), headers: request.headers, secrets });
 */
export async function verify<Own extends OwnEventData = NoOwnEvents>(
  options: VerifyOptions,
): Promise<WebhookEvent<Own>> {
  // Read once, because an iterator of headers can be consumed only once.
  const found = readServiceHeaders(options.headers ?? {});
  const given = { ...options, headers: found };
  try {
    return await verifyLean(given);
  } catch (error) {
    const decoded = decodeBase64Body(error, options.body);
    const isBase64 = decoded !== undefined && (await isAccepted({ ...given, body: decoded }));
    throw explainRefusal(error, { options, found, isBase64 });
  }
}

function isAccepted(options: VerifyOptions): Promise<boolean> {
  return verifyLean(options).then(
    () => true,
    () => false,
  );
}
