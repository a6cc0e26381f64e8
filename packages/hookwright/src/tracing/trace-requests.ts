import type { TraceRequest } from "@hookwright/api";
import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import type { TextMapGetter, Tracer } from "@opentelemetry/api";
import { endSpan, isTraced, isTracingOn } from "./spans.ts";

/** Probes and scrapes come every few seconds and would hide other requests. */
const operations = /\/(?:healthz|readyz|metrics)$/u;

const headerGetter: TextMapGetter<(name: string) => string | null> = {
  get: (header, name) => header(name) ?? undefined,
  keys: () => [],
};

/**
 * Creates a span for each request. It continues the trace of the client only if the client is the host: others could have every request
 * recorded that the sampler leaves out, so the trace that they name is only linked. If the host traces the request already, its span is
 * the parent.
 *
 * Path and query are not attributes, because they may contain e-mail addresses.
 */
export function createTraceRequest(tracer: Tracer): TraceRequest {
  return (toStarted) => {
    if (!isTracingOn()) return undefined;
    const { method, path, scheme, header, isFromHost } = toStarted();
    if (operations.test(path)) return undefined;
    const active = context.active();
    const isTracedByHost = trace.getSpanContext(active) !== undefined;
    const named = isTracedByHost ? active : propagation.extract(active, header, headerGetter);
    const remote = isTracedByHost ? undefined : trace.getSpanContext(named);
    const isContinued = remote === undefined || isFromHost();
    const parent = isContinued ? named : active;
    const links = isContinued ? [] : [{ context: remote }];
    const isKnown = method !== "other";
    const name = isKnown ? method : "HTTP";
    const kind = isTracedByHost ? SpanKind.INTERNAL : SpanKind.SERVER;
    const attributes = { "http.request.method": isKnown ? method : "_OTHER", "url.scheme": scheme };
    const span = tracer.startSpan(name, { kind, attributes, links }, parent);
    if (!isTraced(span)) return undefined;
    return {
      run: (serve) => context.with(trace.setSpan(parent, span), serve),
      end({ route, status, requestId, accountId }) {
        if (route !== "unknown") span.updateName(`${name} ${route}`).setAttribute("http.route", route);
        span.setAttributes({ "http.response.status_code": status, "hookwright.request_id": requestId });
        if (accountId !== undefined) span.setAttribute("hookwright.account_id", accountId);
        endSpan(span, status >= 500 ? String(status) : undefined);
      },
    };
  };
}
