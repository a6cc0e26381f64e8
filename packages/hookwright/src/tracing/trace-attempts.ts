import type { AttemptRow, ObserveAttempt } from "@hookwright/delivery";
import { SpanKind } from "@opentelemetry/api";
import type { Attributes, Tracer } from "@opentelemetry/api";
import { endSpan, toContext } from "./spans.ts";

/**
 * Creates a span for each attempt, as a child of the publish. Another process may make it, so the parent is stored with
 * the delivery.
 *
 * The path and the query of the URL are not attributes, because they may contain secrets of the receiver.
 */
export function createObserveAttempt(tracer: Tracer): ObserveAttempt {
  return ({ accountId, delivery, targetUrl }) => {
    const attributes = { "http.request.method": "POST", "messaging.destination.name": delivery.event };
    const parent = toContext(delivery.trace_parent);
    const span = tracer.startSpan("POST", { kind: SpanKind.CLIENT, attributes }, parent);
    if (!span.isRecording()) return undefined;
    const made = delivery.attempts.length;
    span.setAttributes({
      ...toServer(targetUrl),
      ...(made === 0 ? {} : { "http.request.resend_count": made }),
      "messaging.system": "hookwright",
      "messaging.message.id": delivery.id,
      "hookwright.account_id": accountId,
      "hookwright.webhook_id": delivery.webhook_id,
      "hookwright.delivery_kind": delivery.kind,
    });
    return (attempt) => {
      if (attempt !== undefined && attempt.status !== null)
        span.setAttribute("http.response.status_code", attempt.status);
      endSpan(span, attempt === undefined ? "_OTHER" : toErrorType(attempt));
    };
  };
}

function toServer(targetUrl: string): Attributes {
  const url = URL.parse(targetUrl);
  if (url === null) return {};
  const defaultPort = url.protocol === "http:" ? 80 : 443;
  return {
    "url.scheme": url.protocol.slice(0, -1),
    "server.address": url.hostname,
    "server.port": url.port === "" ? defaultPort : Number(url.port),
  };
}

/** The status of the response, or the class of the failure. Undefined: the attempt was accepted. */
function toErrorType({ error, status }: AttemptRow): string | undefined {
  return error === "status" ? String(status) : (error ?? undefined);
}
