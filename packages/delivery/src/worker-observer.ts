import type { OnError } from "@hookwright/domain";
import type { DeliveryRow } from "./storage/delivery-row.ts";

/** `lost`: another worker may have it, because it was not renewed in time. */
export type LeaseChange = "acquired" | "released" | "lost";

/** Learns what a worker does, for metrics. The worker waits for each call, so a call must be short. */
export interface WorkerObserver {
  /** A delivery was cancelled instead of attempted, and that is recorded. */
  readonly onCancelled: (delivery: DeliveryRow) => void;
  /** The back-off of an endpoint begins. */
  readonly onBackoff: () => void;
  /** The lease of one partition has changed. */
  readonly onLeaseChange: (change: LeaseChange) => void;
}

/** Reports what an observer throws, because its errors must not stop deliveries. */
export function toSafeObserver(observer: WorkerObserver | undefined, onError: OnError): WorkerObserver {
  const safely = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      onError(error, { code: "metrics_failed" });
    }
  };
  return {
    onCancelled: (delivery) => safely(() => observer?.onCancelled(delivery)),
    onBackoff: () => safely(() => observer?.onBackoff()),
    onLeaseChange: (change) => safely(() => observer?.onLeaseChange(change)),
  };
}
