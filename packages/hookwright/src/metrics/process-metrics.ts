import { readdir } from "node:fs/promises";
import { constants, monitorEventLoopDelay, performance, PerformanceObserver } from "node:perf_hooks";
import type { PerformanceEntry } from "node:perf_hooks";
import { Counter, Gauge, Histogram } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";

const gcKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};
const gcBuckets = [0.001, 0.01, 0.1, 1];
/** A timer runs this often, also when nothing happens. */
const lagResolutionMs = 100;

/**
 * Adds the metrics of the process under the names that dashboards expect. The client library has such metrics too, but its timers and
 * observers cannot be stopped.
 *
 * @returns a function that stops observing
 */
export function addProcessMetrics(registry: Registry): () => void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    const metric: Gauge = new Gauge({ name, help, registers, collect: () => metric.set(read()) });
  };
  const cpu = (name: string, help: string, readMicroseconds: () => number): void => {
    const metric: Counter = new Counter({
      name,
      help,
      registers,
      collect() {
        metric.reset();
        metric.inc(readMicroseconds() / 1e6);
      },
    });
  };
  cpu(
    "process_cpu_user_seconds_total",
    "CPU time of the process in user mode.",
    () => process.cpuUsage().user,
  );
  cpu(
    "process_cpu_system_seconds_total",
    "CPU time of the process in the system.",
    () => process.cpuUsage().system,
  );
  cpu("process_cpu_seconds_total", "CPU time of the process.", () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  });
  gauge("process_resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
  gauge("process_start_time_seconds", "Start time of the process.", () => performance.timeOrigin / 1_000);
  gauge("nodejs_heap_size_total_bytes", "Size of the heap.", () => process.memoryUsage().heapTotal);
  gauge("nodejs_heap_size_used_bytes", "Used size of the heap.", () => process.memoryUsage().heapUsed);
  gauge(
    "nodejs_external_memory_bytes",
    "Memory of buffers outside the heap.",
    () => process.memoryUsage().external,
  );
  gauge(
    "nodejs_eventloop_utilization",
    "Share of time the event loop was busy since the process started.",
    () => performance.eventLoopUtilization().utilization,
  );
  addOpenFiles(registry);
  const stopLag = addEventLoopLag(registry);
  const stopGarbage = addGarbageCollection(registry);
  return () => {
    stopLag();
    stopGarbage();
  };
}

/** Only Linux lists them. */
function addOpenFiles(registry: Registry): void {
  const files: Gauge = new Gauge({
    name: "process_open_fds",
    help: "Open files and sockets of the process, on Linux.",
    registers: [registry],
    async collect() {
      const names = await readdir("/proc/self/fd").catch(() => undefined);
      if (names === undefined) files.remove();
      else files.set(names.length);
    },
  });
}

/** How late the event loop was since the last scrape. */
function addEventLoopLag(registry: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delays.enable();
  const gauge = (name: string, help: string, collect?: () => void): Gauge =>
    new Gauge({ name, help, registers: [registry], ...(collect === undefined ? {} : { collect }) });
  // A timer is due after the resolution, so this much is no lag.
  const toLag = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - lagResolutionMs / 1_000);
  /** The first gauge reads for all, because a scrape resets what was measured. */
  const collect = (): void => {
    if (delays.count === 0) return;
    median.set(toLag(delays.percentile(50)));
    late.set(toLag(delays.percentile(99)));
    latest.set(toLag(delays.max));
    delays.reset();
  };
  const median = gauge(
    "nodejs_eventloop_lag_p50_seconds",
    "Median delay of the event loop since the last scrape.",
    collect,
  );
  const late = gauge(
    "nodejs_eventloop_lag_p99_seconds",
    "99th percentile of the delay of the event loop since the last scrape.",
  );
  const latest = gauge(
    "nodejs_eventloop_lag_max_seconds",
    "Longest delay of the event loop since the last scrape.",
  );
  return () => void delays.disable();
}

function addGarbageCollection(registry: Registry): () => void {
  const seconds = new Histogram({
    name: "nodejs_gc_duration_seconds",
    help: "Duration of garbage collections.",
    labelNames: ["kind"],
    buckets: gcBuckets,
    registers: [registry],
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      seconds.observe({ kind: gcKinds[readKind(entry)] ?? "other" }, entry.duration / 1_000);
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => observer.disconnect();
}

function readKind(entry: PerformanceEntry): number {
  // The types do not know that an entry has a detail.
  const detail: unknown = Reflect.get(entry, "detail");
  const kind: unknown =
    typeof detail === "object" && detail !== null ? Reflect.get(detail, "kind") : undefined;
  return typeof kind === "number" ? kind : 0;
}
