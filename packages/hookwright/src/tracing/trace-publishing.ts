import { isHookwrightError } from "@hookwright/domain";
import type { Service } from "@hookwright/service";
import { context, SpanKind, trace } from "@opentelemetry/api";
import type { Attributes, Context, Tracer } from "@opentelemetry/api";
import { endSpan, isTraced, isTracingOn, toContext } from "./spans.ts";

type Publishing = Pick<Service, "publish" | "publishRow" | "publishMany">;

export interface TracedPublishing extends Pick<Service, "publish" | "publishMany"> {
  /** Publishes a row of an outbox, in the trace in which the host inserted it. */
  readonly publishFromOutbox: (
    input: unknown,
    row: { readonly takes: string | undefined; readonly traceParent: string | undefined },
  ) => ReturnType<Service["publishRow"]>;
}

/** Creates a span for each publish. The attempts of its deliveries are its children. */
export function tracePublishing(service: Publishing, tracer: Tracer): TracedPublishing {
  function publishIn<Input, Result>(
    parent: Context,
    input: Input,
    publish: () => Promise<Result>,
    toSpanAttributes: (input: Input) => Attributes = toAttributes,
  ): Promise<Result> {
    if (!isTracingOn()) return publish();
    const attributes = toSpanAttributes(input);
    const { "messaging.destination.name": event } = attributes;
    const name = event === undefined ? "publish" : `publish ${String(event)}`;
    const span = tracer.startSpan(name, { kind: SpanKind.PRODUCER, attributes }, parent);
    if (!isTraced(span)) return publish();
    const published = context.with(trace.setSpan(parent, span), publish);
    published.then(
      () => endSpan(span),
      (error: unknown) => endSpan(span, toErrorType(error)),
    );
    return published;
  }

  return {
    publish: (input) => publishIn(context.active(), input, () => service.publish(input)),
    publishMany: (inputs) =>
      publishIn(context.active(), inputs, () => service.publishMany(inputs), toBatchAttributes),
    publishFromOutbox: (input, { takes, traceParent }) =>
      publishIn(toContext(traceParent), input, () => service.publishRow(input, takes)),
  };
}

const operation = {
  "messaging.system": "hookwright",
  "messaging.operation.name": "publish",
  "messaging.operation.type": "send",
} as const;

/** No event has a longer name. */
const longestName = 100;

/** The input is not validated yet. */
function toAttributes(input: unknown): Attributes {
  if (typeof input !== "object" || input === null || !("event" in input)) return operation;
  const { event } = input;
  if (typeof event !== "string" || event.length > longestName) return operation;
  return { ...operation, "messaging.destination.name": event };
}

function toBatchAttributes(inputs: readonly unknown[]): Attributes {
  return { ...operation, "messaging.batch.message_count": inputs.length };
}

function toErrorType(error: unknown): string {
  if (isHookwrightError(error)) return error.code;
  return error instanceof Error ? error.name : "_OTHER";
}
