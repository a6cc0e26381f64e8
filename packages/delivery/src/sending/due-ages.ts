import type { Endpoint } from "./endpoint.ts";

/**
 * Milliseconds, 0 if nothing is due. Deliveries to a failing endpoint wait for its back-off. Deliveries of a webhook with a rate limit or an
 * order wait for earlier ones. They count as failing too, because more workers do not help.
 */
export interface DueMs {
  readonly healthy: number;
  readonly failing: number;
}

interface Seen extends Pick<Endpoint, "limits"> {
  readonly queue: Pick<Endpoint["queue"], "isOrdered">;
}

export interface DueScan {
  /** @param dueAt when the first delivery of a queue is due. `undefined`: unknown */
  see(dueAt: number | undefined, endpoint: Seen): void;
  /** The partition was read to its end. */
  end(): void;
}

export type DueAges = ReturnType<typeof createDueAges>;

/**
 * How long the oldest due delivery of each partition had been due when the partition was scanned. A scan reads the first entry of each
 * queue anyway, so this costs nothing.
 *
 * @param options.staleAfterMs an older result grows with the time since, because scans fail or take long
 */
export function createDueAges(options: { readonly now: () => number; readonly staleAfterMs: number }) {
  const { now, staleAfterMs } = options;
  const scans = new Map<string, DueMs & { readonly scannedAt: number }>();

  return {
    startScan(partition: string): DueScan {
      const scannedAt = now();
      const found = { healthy: 0, failing: 0 };
      return {
        see(dueAt, { limits, queue }) {
          if (dueAt === undefined) return;
          const health =
            limits.isUnhealthy || limits.isRateLimited || queue.isOrdered ? "failing" : "healthy";
          found[health] = Math.max(found[health], scannedAt - dueAt);
        },
        end: () => void scans.set(partition, { ...found, scannedAt }),
      };
    },
    /** Another worker delivers for the partition. */
    forget: (partition: string): void => void scans.delete(partition),
    oldest(): DueMs {
      const oldest = { healthy: 0, failing: 0 };
      for (const scan of scans.values()) {
        const age = now() - scan.scannedAt;
        const sinceMs = age > staleAfterMs ? age : 0;
        for (const health of ["healthy", "failing"] as const)
          if (scan[health] > 0) oldest[health] = Math.max(oldest[health], scan[health] + sinceMs);
      }
      return oldest;
    },
  };
}
