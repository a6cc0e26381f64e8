import type { DeliveryRow, WebhookNotice, WorkerObserver, WorkerOptions } from "@hookwright/delivery";
import { Counter } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import { createSeriesCounter } from "./series-counter.ts";
import { SeriesHistogram } from "./series-histogram.ts";

export interface DeliveryMetrics {
  /** Called after every durable attempt, including tests. */
  readonly onAttempt: NonNullable<WorkerOptions["onAttempt"]>;
  readonly onNotice: (notice: WebhookNotice) => void;
  readonly observer: WorkerObserver;
}

/** The attempts of one event with the same result. */
interface DeliverySeries extends Pick<DeliveryRow, "kind" | "status"> {
  readonly error: string;
  readonly countAttempt: () => void;
  readonly countEnding: () => void;
}

const attemptBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Up to half an hour, because a backlog after an outage is what it shows. */
const firstAttemptBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** An attempt is counted in the process that makes it. */
export function createDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const registers = [registry];
  const attempts = createSeriesCounter({
    name: "hookwright_attempts_total",
    help: "Delivery attempts recorded, including console tests. error is none for accepted ones.",
    labelNames: ["event", "kind", "error"],
    registers,
  });
  const attemptSeconds = new SeriesHistogram({
    name: "hookwright_attempt_duration_seconds",
    help: "Time from the start of an attempt to its response.",
    buckets: attemptBuckets,
    registers,
  });
  const firstAttemptSeconds = new SeriesHistogram({
    name: "hookwright_first_attempt_delay_seconds",
    help: "Time from publishing an event to the start of its first attempt, without tests.",
    buckets: firstAttemptBuckets,
    registers,
  });
  const endings = createSeriesCounter({
    name: "hookwright_deliveries_total",
    help: "Deliveries that ended: delivered, failed or cancelled.",
    labelNames: ["event", "kind", "status"],
    registers,
  });
  const switchOffs = new Counter({
    name: "hookwright_webhooks_switched_off_total",
    help: "Webhooks switched off after failures, or removed after a response of 410 (gone).",
    labelNames: ["reason"],
    registers,
  });
  const backoffs = new Counter({
    name: "hookwright_backoffs_total",
    help: "Back-offs of webhooks that began.",
    registers,
  });
  const leaseChanges = new Counter({
    name: "hookwright_lease_changes_total",
    help: "Leases of partitions that this process acquired, released or lost.",
    labelNames: ["change"],
    registers,
  });
  // A rate needs a first value of 0.
  for (const reason of ["failures", "gone"]) switchOffs.inc({ reason }, 0);
  for (const change of ["acquired", "released", "lost"]) leaseChanges.inc({ change }, 0);

  const addAttemptSeconds = attemptSeconds.open({});
  const addFirstAttemptSeconds = firstAttemptSeconds.open({});
  const seriesOfEvents = new Map<string, DeliverySeries[]>();

  function seriesOf({ event, kind, status }: DeliveryRow, error: string): DeliverySeries {
    const series = seriesOfEvents.get(event) ?? [];
    const known = series.find((each) => each.kind === kind && each.status === status && each.error === error);
    if (known !== undefined) return known;
    const countAttempt = attempts.open({ event, kind, error });
    const countEnding = endings.open({ event, kind, status });
    const opened = { kind, status, error, countAttempt, countEnding };
    seriesOfEvents.set(event, [...series, opened]);
    return opened;
  }

  return {
    onAttempt(_, delivery, { number, started_at, duration_ms, error }) {
      const { kind, status, created_at } = delivery;
      const series = seriesOf(delivery, error ?? "none");
      series.countAttempt();
      if (status !== "pending") series.countEnding();
      addAttemptSeconds(duration_ms / 1_000);
      // The clocks of two machines may differ by some milliseconds.
      if (number === 1 && kind !== "test")
        addFirstAttemptSeconds(Math.max(0, started_at - created_at) / 1_000);
    },
    onNotice({ type }) {
      if (type === "gone") switchOffs.inc({ reason: "gone" });
      if (type === "switched_off") switchOffs.inc({ reason: "failures" });
    },
    observer: {
      onCancelled: (delivery) => seriesOf(delivery, "none").countEnding(),
      onBackoff: () => backoffs.inc(),
      onLeaseChange: (change) => leaseChanges.inc({ change }),
    },
  };
}
