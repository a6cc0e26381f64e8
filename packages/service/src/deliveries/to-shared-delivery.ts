import { sayAttempt, hiddenHeaderValue, withoutUrlSecrets } from "@hookwright/domain";
import type { DeliveryRow } from "@hookwright/delivery";
import type { Attempt, SharedDelivery } from "@hookwright/domain";
import { toDeliveryDetail } from "../rows/delivery-shape.ts";

/** With a whole signature and the body, a weak signing secret could be guessed, and a request that was just made be repeated. */
const signatureHeader = /-signature$/iu;
/** What says who answered, what and when. Other headers of a response may contain cookies or tokens. */
const responseHeaders: ReadonlySet<string> = new Set([
  "age",
  "allow",
  "cf-ray",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "request-id",
  "retry-after",
  "server",
  "traceparent",
  "via",
  "x-amz-cf-id",
  "x-amzn-requestid",
  "x-correlation-id",
  "x-request-id",
]);

/**
 * A delivery for everybody who has its link: the requests as they were sent and the answers, without the owner's headers, secrets in the
 * URL, whole signatures, and other deliveries.
 */
export function toSharedDelivery(
  row: DeliveryRow,
  bodies: readonly string[],
  expiresAt: string,
): SharedDelivery {
  const delivery = toDeliveryDetail(row, { bodies, resends: [], listenerResults: [] });
  return {
    ...delivery,
    target_url: withoutUrlSecrets(delivery.target_url),
    attempts: delivery.attempts.map(toSharedAttempt),
    resent_from: null,
    expires_at: expiresAt,
  };
}

function toSharedAttempt(attempt: Attempt): Attempt {
  const { request, headers, detail } = attempt;
  const sent = Object.entries(request.headers)
    .filter(([, value]) => value !== hiddenHeaderValue)
    .map(([name, value]) => [name, signatureHeader.test(name) ? cutSignatures(value) : value] as const);
  const answered =
    headers && Object.entries(headers).filter(([name]) => responseHeaders.has(name.toLowerCase()));
  const shared = {
    ...attempt,
    request: { ...request, headers: Object.fromEntries(sent) },
    headers: answered && Object.fromEntries(answered),
    // It quotes the address of a redirect.
    detail: detail && detail.replace(/(?<= Location )\S+/u, withoutUrlSecrets),
  };
  return { ...shared, summary: sayAttempt(shared) };
}

/** The first digits are enough to tell two signatures apart. */
function cutSignatures(value: string): string {
  return value.replaceAll(/(v1[=,][\w+/-]{8})[\w+/=-]*/gu, "$1…");
}
