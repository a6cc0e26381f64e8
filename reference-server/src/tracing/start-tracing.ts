import type { Environment } from "@hookwright/cli";
import type { WriteServerLogLine } from "../server-log-lines.ts";
import { readTraceSettings } from "./read-trace-settings.ts";

/**
 * Exports traces over OTLP if the environment says so. Otherwise the SDK is not even loaded, because it takes memory.
 *
 * @returns sends the remaining spans, for at most a second. Undefined if nothing is exported
 */
export async function startTracing({
  environment,
  log,
}: {
  readonly environment: Environment;
  readonly log: WriteServerLogLine;
}): Promise<(() => Promise<void>) | undefined> {
  const settings = readTraceSettings(environment);
  if (settings === undefined) return undefined;
  if ("problem" in settings) {
    log("tracing_not_started", { problem: settings.problem });
    return undefined;
  }
  const { openTracerProvider } = await import("./open-tracer-provider.ts");
  const { protocol, sampler } = settings;
  log("tracing_started", { protocol, sampler });
  return openTracerProvider({ settings, log });
}
