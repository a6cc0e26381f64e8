import { setTimeout } from "node:timers/promises";
import { HookwrightError } from "@hookwright/domain";
import { createFairQueue } from "@hookwright/service";
import type { QueueLimits, QueueRefusal } from "@hookwright/service";
import { ClientGoneError } from "../request/body-errors.ts";

/**
 * How many rows of the store a request may read:
 *
 * - `few`: rows whose keys are known, and the lists that have at most fifty, such as the webhooks
 * - `page`: one page of an index
 * - `scan`: any number more
 * - `removal`: everything of an account. It waits up to 20 s for attempts, so it must not take the place of a scan
 */
export type Reads = "few" | "page" | "scan" | "removal";

/** Requests that read many rows at once: of the process, and of an account. Host tokens together count as one account. */
export const readLimits: Readonly<
  Record<Exclude<Reads, "few">, readonly [ofProcess: QueueLimits, ofAccount: QueueLimits]>
> = {
  page: [
    { running: 16, waiting: 900 },
    // The whole queue: a host may allow far more than 200 requests a minute, and others take places from the account with the most.
    { running: 4, waiting: 900 },
  ],
  scan: [
    { running: 16, waiting: 400 },
    // Twenty open consoles of an account may read again together.
    { running: 2, waiting: 100 },
  ],
  removal: [{ running: 8, waiting: 400 }, {}],
};

/** Of pages and scans. Removals wait as long as they must. */
const maximumWaitMs = 10_000;
const retryAfterSeconds = 2;

export interface WaitingRequest {
  /** Who takes turns with others: an account and its keys, the host and its tokens, or the public and its clients. */
  readonly party: readonly string[];
  /** Aborted when the client is gone. */
  readonly signal: () => AbortSignal;
}

/** Limits how many requests read pages and scan at once. The others wait, and accounts take turns. */
export interface ReadGate {
  /**
   * @throws HookwrightError `rate_limited` if too many requests wait, or this one has waited for 10 s
   * @throws ClientGoneError if the client closes the connection while the request waits
   */
  run<Result>(reads: Reads, request: WaitingRequest, task: () => Promise<Result>): Promise<Result>;
  /**
   * As `run`, for the next part of a response that has begun: it waits as long as it must.
   *
   * @throws ClientGoneError if the client closes the connection while the request waits
   */
  runLater<Result>(reads: Reads, request: WaitingRequest, task: () => Promise<Result>): Promise<Result>;
}

/** Creates the gate of one process. `sleep` rejects when its signal is aborted. */
export function createReadGate({ sleep = sleepFor }: { readonly sleep?: typeof sleepFor } = {}): ReadGate {
  const queues = {
    page: createFairQueue({ levels: readLimits.page, maximumWaitMs, toError }),
    scan: createFairQueue({ levels: readLimits.scan, maximumWaitMs, toError }),
    removal: createFairQueue({ levels: readLimits.removal, toError }),
  };
  const run: ReadGate["run"] = (reads, { party, signal }, task) =>
    reads === "few" ? task() : queues[reads].run(party, task, signal);
  return {
    run,
    async runLater(reads, request, task) {
      for (let hasStarted = false; ;) {
        try {
          return await run(reads, request, () => {
            hasStarted = true;
            return task();
          });
        } catch (error) {
          if (hasStarted || error instanceof ClientGoneError) throw error;
          await sleep(retryAfterSeconds * 1_000, request.signal());
        }
      }
    },
  };
}

async function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch {
    throw new ClientGoneError();
  }
}

function toError(reason: QueueRefusal): Error {
  if (reason === "aborted") return new ClientGoneError();
  return new HookwrightError(
    "rate_limited",
    `Too many requests that read many rows are under way at this moment. Send fewer at once, and try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
