import type { AttemptRow, DeliveryRow } from "./rows/delivery-row.ts";
import type { Transport } from "./transport/transport.ts";

/** Signs `{timestamp}.{body}` and answers the value of `X-Service-Signature`. */
export type Sign = (message: { readonly body: Uint8Array; readonly timestamp: number }) => string;

export interface AttemptInput {
  readonly delivery: Pick<DeliveryRow, "id" | "event" | "kind" | "attempts">;
  /** The webhook's URL as it is now. */
  readonly targetUrl: string;
  readonly body: string;
  readonly sign: Sign;
}

export interface AttemptOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
  /** Milliseconds of the wall clock: receivers compare the time stamp with theirs. */
  readonly wallClock: () => number;
}

const userAgent = "Hookwright (+webhooks)";

/**
 * One try of one delivery (specification §6.3): builds the headers, signs the exact bytes, sends, and tells what
 * happened. When the next try is due is decided by whoever records it.
 */
export async function runAttempt(input: AttemptInput, options: AttemptOptions): Promise<AttemptRow> {
  const { delivery, targetUrl, body, sign } = input;
  const { transport, timeoutMs, wallClock } = options;
  const startedAt = wallClock();
  const timestamp = Math.floor(startedAt / 1000);
  const bytes = Buffer.from(body);
  const headerLines =
    `Content-Type: application/json\r\nUser-Agent: ${userAgent}\r\n` +
    `X-Service-Event: ${delivery.event}\r\nX-Service-Delivery: ${delivery.id}\r\n` +
    `X-Service-Timestamp: ${timestamp}\r\nX-Service-Signature: ${sign({ body: bytes, timestamp })}\r\n` +
    (delivery.kind === "test" ? "X-Service-Test: 1\r\n" : "");
  const answer = await transport.send({ targetUrl, headerLines, body: bytes, timeoutMs });
  return {
    number: delivery.attempts.length + 1,
    started_at: startedAt,
    duration_ms: Math.round(answer.durationMs * 1000) / 1000,
    request_header_lines: headerLines,
    body,
    status: answer.status,
    headers: answer.headers,
    excerpt: answer.excerpt,
    error: answer.failure,
    detail: answer.detail,
    next_attempt_at: null,
  };
}
