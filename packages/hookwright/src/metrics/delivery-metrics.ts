import type {
  AttemptRow,
  DeliveryRow,
  WebhookNotice,
  WorkerObserver,
  WorkerOptions,
} from "@hookwright/delivery";
import { Counter, Histogram } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";

export interface DeliveryMetrics {
  /** Called after every durable attempt, including tests. */
  readonly onAttempt: NonNullable<WorkerOptions["onAttempt"]>;
  readonly onNotice: (notice: WebhookNotice) => void;
  readonly observer: WorkerObserver;
}

const attemptBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Up to half an hour, because a backlog after an outage is what it shows. */
const firstAttemptBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** An attempt is counted in the process that makes it. */
export function createDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: "hookwright_attempts_total",
    help: "Delivery attempts recorded, including console tests. error is none for accepted ones.",
    labelNames: ["event", "kind", "error"],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: "hookwright_attempt_duration_seconds",
    help: "Time from the start of an attempt to its response.",
    buckets: attemptBuckets,
    registers,
  });
  const firstAttemptSeconds = new Histogram({
    name: "hookwright_first_attempt_delay_seconds",
    help: "Time from publishing an event to the start of its first attempt, without tests.",
    buckets: firstAttemptBuckets,
    registers,
  });
  const endings = new Counter({
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

  function observeFirst({ created_at, kind }: DeliveryRow, { number, started_at }: AttemptRow): void {
    // The clocks of two machines may differ by some milliseconds.
    if (number === 1 && kind !== "test")
      firstAttemptSeconds.observe(Math.max(0, started_at - created_at) / 1_000);
  }

  return {
    onAttempt(_, delivery, attempt) {
      const { event, kind, status } = delivery;
      attempts.inc({ event, kind, error: attempt.error ?? "none" });
      attemptSeconds.observe(attempt.duration_ms / 1_000);
      observeFirst(delivery, attempt);
      if (status !== "pending") endings.inc({ event, kind, status });
    },
    onNotice({ type }) {
      if (type !== "failing") switchOffs.inc({ reason: type === "gone" ? "gone" : "failures" });
    },
    observer: {
      onCancelled: ({ event, kind, status }) => endings.inc({ event, kind, status }),
      onBackoff: () => backoffs.inc(),
      onLeaseChange: (change) => leaseChanges.inc({ change }),
    },
  };
}
