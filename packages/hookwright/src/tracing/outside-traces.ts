import { context, ROOT_CONTEXT } from "@opentelemetry/api";

/**
 * Calls a function outside of the active trace. Work that a request only triggers, such as the worker's, would
 * otherwise count as part of that request, and so would its log lines.
 */
export function outsideTraces<Parameters extends unknown[], Result>(
  call: (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  return (...parameters) => context.with(ROOT_CONTEXT, () => call(...parameters));
}
