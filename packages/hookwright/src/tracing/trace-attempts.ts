import type { AttemptRow, TraceAttempt } from "@hookwright/delivery";
import { context, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import type { Attributes, Context, Tracer } from "@opentelemetry/api";
import { endSpan, isTracingOn, toContext } from "./spans.ts";

export interface AttemptTracing {
  readonly traceAttempt: TraceAttempt;
  /** Calls a function in the trace of an attempt that has ended, so that its log lines have the ids. */
  readonly inTraceOf: (attempt: AttemptRow, call: () => void) => void;
}

/**
 * Creates a span for each attempt, as a child of the publish. Another process may make it, so the parent is stored with
 * the delivery.
 *
 * The path and the query of the URL are not attributes, because they may contain secrets of the receiver.
 */
export function createAttemptTracing(tracer: Tracer): AttemptTracing {
  const contexts = new WeakMap<AttemptRow, Context>();
  const traceAttempt: TraceAttempt = ({ accountId, delivery, targetUrl }) => {
    if (!isTracingOn()) return undefined;
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
      if (attempt === undefined) return endSpan(span, "_OTHER");
      contexts.set(attempt, trace.setSpan(ROOT_CONTEXT, span));
      if (attempt.status !== null) span.setAttribute("http.response.status_code", attempt.status);
      endSpan(span, toErrorType(attempt));
    };
  };
  return {
    traceAttempt,
    inTraceOf: (attempt, call) => context.with(contexts.get(attempt) ?? ROOT_CONTEXT, call),
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
