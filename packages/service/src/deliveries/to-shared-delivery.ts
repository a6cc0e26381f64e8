import { maskSecrets } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { hiddenHeaderValue, sayAttempt, toUrlSecrets, withoutUrlSecrets } from "@hookwright/domain";
import type { Attempt, SharedDelivery } from "@hookwright/domain";
import { toDeliveryDetail } from "../rows/delivery-shape.ts";
import type { LoggedBody } from "../rows/delivery-shape.ts";

/** With a whole signature and the body, a weak signing secret could be guessed, and a request that was just made be repeated. */
const signatureHeader = /-signature$/iu;
const signatureText = /[\w+/-]{16,}=*/gu;
/** Where `detail` quotes the address of a redirect. */
const quotedLocation = /(?<= Location ).+(?=: redirects )/u;
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
 * URL, whole signatures, and other deliveries. An endpoint may repeat its request in its answer, so they are masked there too.
 */
export function toSharedDelivery(
  row: DeliveryRow,
  bodies: readonly LoggedBody[],
  expiresAt: string,
): SharedDelivery {
  const delivery = toDeliveryDetail(row, { bodies, resends: [], listenerResults: [] });
  const secrets = [
    ...toUrlSecrets(delivery.target_url),
    ...delivery.attempts.flatMap(({ request }) => toSignatures(request.headers)),
  ];
  return {
    ...delivery,
    target_url: withoutUrlSecrets(delivery.target_url),
    attempts: delivery.attempts.map((attempt) => toSharedAttempt(attempt, secrets)),
    resent_from: null,
    expires_at: expiresAt,
  };
}

function toSharedAttempt(attempt: Attempt, secrets: readonly string[]): Attempt {
  const { request, headers, excerpt, detail } = attempt;
  const sent = Object.entries(request.headers)
    .filter(([, value]) => value !== hiddenHeaderValue)
    .map(([name, value]) => [name, signatureHeader.test(name) ? cutSignatures(value) : value] as const);
  const answered =
    headers &&
    Object.entries(headers)
      .filter(([name]) => responseHeaders.has(name.toLowerCase()))
      .map(([name, value]) => [name, maskCut(value, secrets)] as const);
  const shared = {
    ...attempt,
    request: { ...request, headers: Object.fromEntries(sent) },
    headers: answered && Object.fromEntries(answered),
    excerpt: excerpt && maskCut(excerpt, secrets),
    detail: detail && maskCut(detail.replace(quotedLocation, withoutUrlSecrets), secrets),
  };
  return { ...shared, summary: sayAttempt(shared) };
}

/** A text that the log has cut may end within a secret. */
function maskCut(text: string, secrets: readonly string[]): string {
  return text.endsWith("…") ? `${maskSecrets(text.slice(0, -1), secrets)}…` : maskSecrets(text, secrets);
}

function toSignatures(headers: Attempt["request"]["headers"]): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    signatureHeader.test(name) ? (value.match(signatureText) ?? []) : [],
  );
}

/** The first digits are enough to tell two signatures apart. */
function cutSignatures(value: string): string {
  return value.replaceAll(/(v1[=,][\w+/-]{8})[\w+/=-]*/gu, "$1…");
}
