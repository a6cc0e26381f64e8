import { context, propagation, trace } from "@opentelemetry/api";
import type { Context, Span } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { expect } from "vitest";

export interface SpanRecorder {
  /** Runs a function inside a span of the host, and returns that span. */
  inHostSpan(run: () => Promise<unknown>): Promise<Span>;
  /** Resolves with the spans of a trace, in the order in which they ended, when there are so many. */
  spansOf(traceId: string, count: number): Promise<readonly ReadableSpan[]>;
  /** All spans so far. */
  readonly spans: readonly ReadableSpan[];
  /** Makes the next spans fail when they start or end, as a faulty span processor of a host would. */
  failOnEnd: boolean;
}

/** Registers a real OpenTelemetry SDK for this process, in place of the one of an earlier test file. */
export function recordSpans(): SpanRecorder {
  const exporter = new InMemorySpanExporter();
  const failing = {
    onStart(_span: unknown, _context: Context): void {},
    onEnd(): void {
      if (recorder.failOnEnd) throw new Error("the span processor of the host is broken");
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  // Without this, a second registration is ignored.
  for (const api of [context, propagation, trace]) api.disable();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter }), failing] }),
  );
  const ofTrace = (traceId: string) =>
    exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
  const recorder: SpanRecorder = {
    failOnEnd: false,
    get spans() {
      return exporter.getFinishedSpans();
    },
    inHostSpan: (run) =>
      trace.getTracer("host").startActiveSpan("host", async (span) => {
        await run();
        span.end();
        return span;
      }),
    async spansOf(traceId, count) {
      await expect.poll(() => ofTrace(traceId).length, { interval: 5 }).toBeGreaterThanOrEqual(count);
      return ofTrace(traceId);
    },
  };
  return recorder;
}
