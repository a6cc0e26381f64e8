import type { Logger } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { Registry } from "@prometheus-io/client";
import { addBuildInfo } from "./build-info.ts";
import type { BuildInfo } from "./build-info.ts";
import { createDeliveryMetrics } from "./delivery-metrics.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";
import { countLogLines } from "./log-metrics.ts";
import { observeStore } from "./observe-store.ts";
import type { OnCommit } from "./observe-store.ts";
import { addProcessMetrics } from "./process-metrics.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import type { RequestMetrics } from "./request-metrics.ts";
import { addStateMetrics } from "./state-metrics.ts";
import type { StateMetricsOptions } from "./state-metrics.ts";

export interface Metrics extends RequestMetrics, DeliveryMetrics {
  readonly registry: Registry;
  /** Counts the warnings and errors of a logger. */
  countLogLines(logger: Logger): Logger;
  /** Measures the operations of a store. */
  observeStore(store: Store, onCommit?: OnCommit): Store;
  /** Adds what is measured when the metrics are read, and starts to observe the process. */
  start(options: Omit<StateMetricsOptions, "registry"> & { readonly build: BuildInfo }): void;
  /** Stops observing the process. */
  close(): void;
}

/**
 * Creates the metrics of one instance in a registry of its own, so that two instances in one process do not share counters. Labels have
 * few values and no personal data: no account, no URL, no id.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  let stopObserving = (): void => {};
  return {
    registry,
    ...createRequestMetrics(registry),
    ...createDeliveryMetrics(registry),
    countLogLines: (logger) => countLogLines(logger, registry),
    observeStore: (store, onCommit = () => undefined) => observeStore(store, registry, onCommit),
    start({ build, ...options }) {
      addStateMetrics({ ...options, registry });
      addBuildInfo(registry, build);
      stopObserving = addProcessMetrics(registry);
    },
    close: () => stopObserving(),
  };
}
