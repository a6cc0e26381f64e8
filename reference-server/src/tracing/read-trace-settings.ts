import type { Environment } from "@hookwright/cli";

/** What the standard variables of OpenTelemetry say. The exporter reads the endpoint, the headers and the time-out itself. */
export interface TraceSettings {
  readonly protocol: Protocol;
  readonly sampler: SamplerName;
  /** The share of traces that a sampler by ratio takes, from 0 to 1. */
  readonly ratio: number;
  /** Whether the trace of a client (`traceparent`) is continued. */
  readonly continuesTraces: boolean;
  readonly batch: BatchSettings;
}

/** The defaults are those of the SDK. */
export interface BatchSettings {
  readonly scheduledDelayMillis?: number;
  readonly exportTimeoutMillis?: number;
  readonly maxQueueSize?: number;
  readonly maxExportBatchSize?: number;
}

const protocols = ["http/protobuf", "http/json"] as const;
export type Protocol = (typeof protocols)[number];

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof samplers)[number];

const endpointVariables = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"] as const;

/** Undefined if nothing shall be exported. `problem` names a variable whose value cannot be used. */
export function readTraceSettings(
  environment: Environment,
): TraceSettings | { readonly problem: string } | undefined {
  const read = (name: string): string | undefined => {
    const text = environment[name]?.trim();
    return text === "" ? undefined : text;
  };
  const endpointVariable = endpointVariables.find((name) => read(name) !== undefined);
  if (endpointVariable === undefined || read("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;
  const exporter = read("OTEL_TRACES_EXPORTER") ?? "otlp";
  if (exporter === "none") return undefined;
  if (exporter !== "otlp") return { problem: describe("OTEL_TRACES_EXPORTER", ["otlp", "none"]) };
  if (!isHttpUrl(read(endpointVariable)))
    return { problem: `${endpointVariable} must be a URL that begins with http: or https:.` };
  const protocolVariable =
    read("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") === undefined
      ? "OTEL_EXPORTER_OTLP_PROTOCOL"
      : "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL";
  const protocol = pick(protocols, read(protocolVariable) ?? "http/protobuf");
  if (protocol === undefined) return { problem: describe(protocolVariable, protocols) };
  const sampler = pick(samplers, read("OTEL_TRACES_SAMPLER")?.toLowerCase() ?? "parentbased_always_on");
  if (sampler === undefined) return { problem: describe("OTEL_TRACES_SAMPLER", samplers) };
  const ratio = Number(read("OTEL_TRACES_SAMPLER_ARG") ?? 1);
  if (sampler.endsWith("traceidratio") && !(ratio >= 0 && ratio <= 1))
    return { problem: "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1." };
  const propagators = read("OTEL_PROPAGATORS")?.split(",") ?? ["tracecontext"];
  return {
    protocol,
    sampler,
    ratio,
    continuesTraces: propagators.some((name) => name.trim() === "tracecontext"),
    batch: {
      ...toNumber("scheduledDelayMillis", read("OTEL_BSP_SCHEDULE_DELAY")),
      ...toNumber("exportTimeoutMillis", read("OTEL_BSP_EXPORT_TIMEOUT")),
      ...toNumber("maxQueueSize", read("OTEL_BSP_MAX_QUEUE_SIZE")),
      ...toNumber("maxExportBatchSize", read("OTEL_BSP_MAX_EXPORT_BATCH_SIZE")),
    },
  };
}

function describe(variable: string, allowed: readonly string[]): string {
  return `${variable} must be one of ${allowed.join(", ")}.`;
}

function pick<Value extends string>(allowed: readonly Value[], text: string): Value | undefined {
  return allowed.find((each) => each === text);
}

function isHttpUrl(text = ""): boolean {
  return ["http:", "https:"].includes(URL.parse(text)?.protocol ?? "");
}

/** An invalid number counts as not set, as the specification of OpenTelemetry says. */
function toNumber(name: keyof BatchSettings, text: string | undefined): BatchSettings {
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {};
}
