import type { ApiClient } from "../api/api-client.ts";
import { describeCause } from "../api/api-client.ts";
import { CliError } from "../cli-error.ts";
import type { ForwardResult } from "./forward.ts";

export interface ResultReporter {
  /** Queues a result. Results are reported one after another, so that a burst stays within the rate limit. */
  report(listenerId: string, deliveryId: string, result: ForwardResult): void;
  /** Resolves when the queue is empty, or after three seconds. */
  flush(): Promise<void>;
}

const longestErrorText = 300;
const flushMs = 3_000;
/** The server shows results beside deliveries. Old ones may be missing rather than fill the memory. */
const longestQueue = 1_000;

/** Reports to the server what the local program answered. A failure is remarked once, and stops nothing. */
export function createResultReporter(api: ApiClient, remark: (text: string) => void): ResultReporter {
  let queue = Promise.resolve();
  let queued = 0;
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
      });
    } catch (error) {
      // An aborted request means that the command ends.
      if (hasFailed || !(error instanceof CliError)) return;
      hasFailed = true;
      remark(`hookwright: results cannot be reported to the server: ${describeCause(error)}`);
    } finally {
      queued -= 1;
    }
  };
  return {
    report(listenerId, deliveryId, result) {
      if (queued >= longestQueue) return;
      queued += 1;
      queue = queue.then(() => send(listenerId, deliveryId, result));
    },
    async flush() {
      const limit = new AbortController();
      const timer = new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, flushMs);
        limit.signal.addEventListener("abort", () => clearTimeout(timeout));
      });
      await Promise.race([queue, timer]);
      limit.abort();
    },
  };
}
