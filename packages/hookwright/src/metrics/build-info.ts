import { Gauge } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";

export interface BuildInfo {
  readonly version: string;
  /** Empty if unknown. */
  readonly commit: string;
  readonly node: string;
  /** The kind of the store. */
  readonly storage: string;
  readonly role: string;
}

/** Adds a metric with the value 1, whose labels say what runs. */
export function addBuildInfo(registry: Registry, info: BuildInfo): void {
  const labels: Record<string, string> = { ...info };
  const gauge = new Gauge({
    name: "hookwright_build_info",
    help: "What runs: 1 for each process.",
    labelNames: Object.keys(labels),
    registers: [registry],
  });
  gauge.set(labels, 1);
}
