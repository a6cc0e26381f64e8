import type { Logger } from "@hookwright/domain";
import { context, isSpanContextValid, trace } from "@opentelemetry/api";

type Fields = Readonly<Record<string, unknown>>;

/** Adds the ids of the active span to each line. Background work has none: its lines name the trace themselves. */
export function addTraceIds(logger: Logger): Logger {
  const write =
    (level: "info" | "warn" | "error"): Logger["error"] =>
    (message, fields) => {
      const all = withTraceIds(fields);
      // `console` would print an undefined argument.
      return all === undefined ? logger[level](message) : logger[level](message, all);
    };
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

function withTraceIds(fields: Fields | undefined): Fields | undefined {
  const active = trace.getSpanContext(context.active());
  if (active === undefined || !isSpanContextValid(active) || fields?.["trace_id"] !== undefined)
    return fields;
  return { ...fields, trace_id: active.traceId, span_id: active.spanId };
}
