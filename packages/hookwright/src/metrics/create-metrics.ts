import { performance } from "node:perf_hooks";
import type { ServedRequest } from "@hookwright/api";
import type { AttemptRow, DeliveryRow, WorkerStats } from "@hookwright/delivery";
import type { OutboxRelays } from "../outbox/create-relays.ts";
import { createRegistry } from "./registry.ts";

export interface Metrics {
  readonly render: () => string;
  readonly onServed: (request: ServedRequest) => void;
  /** Called after every durable attempt, including tests. */
  readonly onAttempt: (accountId: string, delivery: DeliveryRow, attempt: AttemptRow) => void;
}

export interface MetricsOptions {
  readonly stats: () => WorkerStats;
  /** The result of the last storage check. */
  readonly isWritable: () => boolean;
  readonly outbox: Pick<OutboxRelays, "rejected" | "oldestSeconds">;
}

const attemptBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Creates the metrics of one process. Labels have few values and no personal data: no account, no URL, no id. An
 * attempt is counted in the process that makes it, and a request in the process that serves it.
 */
export function createMetrics({ stats, isWritable, outbox }: MetricsOptions): Metrics {
  const registry = createRegistry();
  const requests = registry.counter("hookwright_requests_total", "Requests served.", [
    "method",
    "route",
    "status",
  ]);
  const requestSeconds = registry.histogram(
    "hookwright_request_duration_seconds",
    "Time from the head of a request to its response.",
    ["method", "route"],
    requestBuckets,
  );
  const attempts = registry.counter(
    "hookwright_attempts_total",
    "Delivery attempts recorded, including console tests. error is none for accepted ones.",
    ["event", "kind", "error"],
  );
  const attemptSeconds = registry.histogram(
    "hookwright_attempt_duration_seconds",
    "Time from the start of an attempt to its response.",
    [],
    attemptBuckets,
  );
  const endings = registry.counter("hookwright_deliveries_total", "Deliveries that ended with an attempt.", [
    "event",
    "kind",
    "status",
  ]);
  registry.gauge("hookwright_attempts_sending", "Attempts in progress.", () => stats().sending);
  registry.gauge(
    "hookwright_attempts_unrecorded",
    "Attempts started but not yet recorded. A crash may repeat them.",
    () => stats().unrecorded,
  );
  registry.gauge("hookwright_deliveries_waiting", "Queued deliveries in memory.", () => stats().waiting);
  registry.gauge(
    "hookwright_webhooks_busy",
    "Webhooks with pending deliveries in memory.",
    () => stats().endpoints,
  );
  registry.gauge(
    "hookwright_webhooks_backing_off",
    "Webhooks in back-off: their last ten or more attempts failed.",
    () => stats().backingOff,
  );
  registry.gauge(
    "hookwright_partitions_leased",
    "Partitions that this process holds a lease for.",
    () => stats().partitions,
  );
  registry.gauge("hookwright_storage_writable", "1 if a write to the storage succeeds, else 0.", () =>
    isWritable() ? 1 : 0,
  );
  registry.readCounter(
    "hookwright_outbox_rejected_total",
    "Rows of the outbox that this process moved to outbox_rejected.",
    outbox.rejected,
  );
  registry.gauge(
    "hookwright_outbox_oldest_seconds",
    "Age of the oldest event in the outbox. 0 if there is none, NaN if the outbox cannot be read.",
    outbox.oldestSeconds,
  );
  registry.readCounter(
    "process_cpu_seconds_total",
    "CPU time of the process.",
    () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  );
  registry.gauge("process_resident_memory_bytes", "Resident memory of the process.", () =>
    process.memoryUsage.rss(),
  );
  registry.gauge(
    "process_start_time_seconds",
    "Start time of the process.",
    () => performance.timeOrigin / 1_000,
  );
  registry.gauge(
    "nodejs_eventloop_utilization",
    "Share of time the event loop was busy since the process started.",
    () => performance.eventLoopUtilization().utilization,
  );

  return {
    render: registry.render,
    onServed({ method, route, status, durationMs }) {
      requests.add([method, route, String(status)]);
      requestSeconds.observe([method, route], durationMs / 1_000);
    },
    onAttempt(_, { event, kind, status }, { error, duration_ms: durationMs }) {
      attempts.add([event, kind, error ?? "none"]);
      attemptSeconds.observe([], durationMs / 1_000);
      if (status !== "pending") endings.add([event, kind, status]);
    },
  };
}
