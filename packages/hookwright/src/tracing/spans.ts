import {
  context,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Context, Span } from "@opentelemetry/api";

/** The active trace as a W3C `traceparent`, which travels with a delivery. `undefined`: there is none. */
export function currentTraceParent(): string | undefined {
  const active = trace.getSpanContext(context.active());
  if (active === undefined || !isSpanContextValid(active)) return undefined;
  const flags = (active.traceFlags & 0xff).toString(16).padStart(2, "0");
  return `00-${active.traceId}-${active.spanId}-${flags}`;
}

const pattern = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/u;

/** A context that continues a stored trace. Without a valid `traceparent` its spans begin a new trace. */
export function toContext(traceParent: string | undefined): Context {
  if (traceParent === undefined) return ROOT_CONTEXT;
  const { traceId = "", spanId = "", flags = "" } = pattern.exec(traceParent)?.groups ?? {};
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}

const noProvider = new ProxyTracerProvider().getDelegate();

/** Whether an OpenTelemetry SDK is registered. Without one, nothing is made for a span. */
export function isTracingOn(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== noProvider;
}

/**
 * False without an OpenTelemetry SDK. A span that is not sampled has a context too, so that its children are not
 * sampled.
 */
export function isTraced(span: Span): boolean {
  return isSpanContextValid(span.spanContext());
}

/** @param errorType the attribute `error.type`. Undefined: no error */
export function endSpan(span: Span, errorType?: string): void {
  try {
    if (errorType !== undefined)
      span.setAttribute("error.type", errorType).setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  } catch {
    // A span processor of the host has failed. That must not lose the result of an attempt.
  }
}
