import { randomUUID } from "node:crypto";
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Sampler, SpanExporter } from "@opentelemetry/sdk-trace";
import type { WriteServerLogLine } from "../server-log-lines.ts";
import type { TraceSettings } from "./read-trace-settings.ts";

/** The time for the last spans at the end. The whole shutdown may take 15 s. */
const flushMs = 1_000;

/**
 * Registers the SDK for this process. This module loads it, so import it only when traces are exported.
 *
 * @returns sends the remaining spans, for at most a second
 */
export function openTracerProvider({
  settings,
  log,
}: {
  readonly settings: TraceSettings;
  readonly log: WriteServerLogLine;
}): () => Promise<void> {
  const exporter = settings.protocol === "http/json" ? new JsonExporter() : new ProtobufExporter();
  const processor = new BatchSpanProcessor({ ...settings.batch, exporter: reportFailure(exporter, log) });
  const own = resourceFromAttributes({ "service.name": "hookwright", "service.instance.id": randomUUID() });
  const provider = new TracerProvider({
    // OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME come last, so they win.
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(settings),
    spanProcessors: [processor],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  trace.setGlobalTracerProvider(provider);
  if (settings.continuesTraces) propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return async () => {
    await endsWithin(provider.shutdown());
    for (const api of [trace, context, propagation]) api.disable();
  };
}

function createSampler({ sampler, ratio }: TraceSettings): Sampler {
  const prefix = "parentbased_";
  if (sampler.startsWith(prefix))
    return new ParentBasedSampler({ root: createRoot(sampler.slice(prefix.length)) });
  return createRoot(sampler);

  function createRoot(name: string): Sampler {
    if (name === "always_on") return new AlwaysOnSampler();
    return name === "always_off" ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
  }
}

/** Logs the first failure of several in a row. The exporter drops the spans, so nothing else is affected. */
function reportFailure(exporter: SpanExporter, log: WriteServerLogLine): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, onResult) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isFailing) log("traces_not_exported", { error: result.error });
        isFailing = hasFailed;
        onResult(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The failure of the last export is in the log already. */
async function endsWithin(flushed: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushMs)));
  await Promise.race([flushed.catch(() => {}), late]);
  clearTimeout(timer);
}
