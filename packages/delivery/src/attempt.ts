import type { AttemptRow, BodySource, DeliveryRow } from "./rows/delivery-row.ts";
import { keepBody, keepHeaders } from "./rows/kept-response.ts";
import { renderRequestHeaders, requestForm, toSignedTime } from "./rows/request-headers.ts";
import type { Answer } from "./transport/answer.ts";
import type { Transport } from "./transport/transport.ts";

/** Signs `{timestamp}.{body}` and answers the value of `X-Service-Signature`. */
export type Sign = (message: { readonly body: string; readonly timestamp: number }) => string;

export interface AttemptInput {
  readonly accountId: string;
  readonly delivery: Pick<DeliveryRow, "id" | "event" | "kind" | "attempts">;
  /** The webhook's URL as it is now. */
  readonly targetUrl: string;
  readonly body: string;
  /** What gives the body back: kept in its place. Without it the body itself is kept. */
  readonly source?: BodySource | undefined;
  readonly sign: Sign;
}

export interface AttemptOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
  /** Milliseconds of the wall clock: receivers compare the time stamp with theirs. */
  readonly wallClock: () => number;
}

/**
 * One try of one delivery (specification §6.3): builds the headers, signs the exact bytes, sends, and tells what
 * happened. When the next try is due is decided by whoever records it.
 */
export function runAttempt(input: AttemptInput, options: AttemptOptions): Promise<AttemptRow> {
  try {
    return begin(input, options);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** No frame of an async function waits for the answer: thousands of them may be on their way. */
function begin(input: AttemptInput, options: AttemptOptions): Promise<AttemptRow> {
  const { accountId, delivery, targetUrl, body, sign, source } = input;
  const { transport, timeoutMs } = options;
  const startedAt = options.wallClock();
  const signature = sign({ body, timestamp: toSignedTime(startedAt) });
  const headerLines = renderRequestHeaders(delivery, { started_at: startedAt, signature });
  // Of the request no more than these is kept while its answer is waited for.
  const number = delivery.attempts.length + 1;
  const kept = source ?? body;
  const toRow = (answer: Answer): AttemptRow => ({
    number,
    started_at: startedAt,
    duration_ms: Math.round(answer.durationMs * 1000) / 1000,
    request_form: requestForm,
    signature,
    body: kept,
    status: answer.status,
    headers: keepHeaders(answer.headers),
    excerpt: keepBody(answer.excerpt),
    error: answer.failure,
    detail: answer.detail,
    next_attempt_at: null,
  });
  // A stale connection must not cost a second attempt, nor the only one of a test.
  const freshConnection = number > 1 || delivery.kind === "test";
  return transport.send({ accountId, targetUrl, headerLines, body, timeoutMs, freshConnection }).then(toRow);
}
