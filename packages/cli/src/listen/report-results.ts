import type { ApiClient } from "../api/api-client.ts";
import { describeCause } from "../api/api-errors.ts";
import { createTokenBucket } from "../api/token-bucket.ts";
import { CliError } from "../cli-error.ts";
import type { ForwardResult } from "./forward.ts";

export interface ResultReporter {
  /** Sends a result at once, or drops it if there are too many. */
  report(listenerId: string, deliveryId: string, result: ForwardResult): void;
  /** Resolves when no report is on its way, or after three seconds. */
  flush(): Promise<void>;
}

export interface ResultReporterOptions {
  readonly api: ApiClient;
  readonly remark: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const longestErrorText = 300;
const flushMs = 3_000;
/** At most 30 reports in any minute. The console shows them beside deliveries, and the program prints all of them. */
const reportLimit = { capacity: 15, refillMs: 4_000 } as const;
/** After 429 without `Retry-After`. The window of the rate limit is a minute. */
const pauseMs = 60_000;

/**
 * Reports to the server what the local program answered. The reports share the rate limit with all other requests of
 * the account, so some are dropped when there are many. A failure is remarked once, and stops nothing.
 */
export function createResultReporter({ api, remark, now }: ResultReporterOptions): ResultReporter {
  const bucket = createTokenBucket({ ...reportLimit, now });
  const open = new Set<Promise<void>>();
  let pausedUntil = 0;
  let hasFailed = false;
  const send = async (listenerId: string, deliveryId: string, result: ForwardResult): Promise<void> => {
    try {
      await api.send({
        method: "POST",
        path: `/developer/v1/listeners/${encodeURIComponent(listenerId)}/events/${encodeURIComponent(deliveryId)}/result`,
        body: {
          ...(result.status === null ? {} : { status: result.status }),
          duration_ms: result.durationMs,
          ...(result.error === undefined ? {} : { error: result.error.slice(0, longestErrorText) }),
        },
        failsIfLimited: true,
      });
    } catch (error) {
      // An aborted request means that the command ends.
      if (!(error instanceof CliError)) return;
      if (error.code === "rate_limited") {
        pausedUntil = now() + (error.retryAfterMs ?? pauseMs);
        return;
      }
      if (hasFailed) return;
      hasFailed = true;
      remark(`hookwright: results cannot be reported to the server: ${describeCause(error)}`);
    }
  };
  return {
    report(listenerId, deliveryId, result) {
      if (now() < pausedUntil || !bucket.take()) return;
      const sent = send(listenerId, deliveryId, result).finally(() => open.delete(sent));
      open.add(sent);
    },
    async flush() {
      const limit = new AbortController();
      const timer = new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, flushMs);
        limit.signal.addEventListener("abort", () => clearTimeout(timeout));
      });
      await Promise.race([Promise.all(open), timer]);
      limit.abort();
    },
  };
}
