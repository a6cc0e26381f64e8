import { createServer } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { createHookwright } from "hookwright";
import { memoryStore } from "@hookwright/storage/memory";
import { fillAccount } from "./fill-account.ts";
import type { FilledAccount } from "./fill-account.ts";

export interface Ready {
  readonly port: number;
  readonly filled: FilledAccount;
}

/** What another account and the process have noticed since `begin`. */
export interface Figures {
  /** The 99th percentile of the time that `GET /v1/me` of the other account takes, in milliseconds. */
  readonly p99Ms: number;
  /** The same in processor time of this process. Other programs on the machine do not change it. */
  readonly p99ProcessorMs: number;
  /** The growth of the resident memory at most. */
  readonly grownBytes: number;
}

/**
 * A server with a large account, in a process of its own. It sends `Ready`, begins to measure with the message `begin`, and answers
 * `figures`. The requests of the other account are made in this process, so a slow client does not change them.
 */
const [hostToken = "", rows = ""] = process.argv.slice(2);
const many = 1_000_000_000;
const store = memoryStore();
const hookwright = await createHookwright({
  store,
  secret: "s".repeat(32),
  role: "api",
  hostToken,
  rateLimitPerMinute: many,
  consoleRateLimitPerMinute: many,
  sendsPerMinute: many,
  logger: { info() {}, warn() {}, error: console.error },
});
const filled = await fillAccount({ hookwright, store }, "acc_large", Number(rows));
await hookwright.accounts.put("acc_small", { email: "small@example.com" });
const { api_key: smallKey } = await hookwright.apiKeys.create("acc_small", { name: "Small" });
const pauseMs = 10;
const durations: number[] = [];
const processorTimes: number[] = [];
let bytesBefore = Number.POSITIVE_INFINITY;
let peakBytes = 0;
function toP99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY;
}

async function readAccount(): Promise<void> {
  const request = new Request("http://localhost/v1/me", { headers: { authorization: `Bearer ${smallKey}` } });
  for (;;) {
    // A request that is late because the process is busy has waited, too.
    const dueAt = performance.now() + pauseMs;
    const begun = process.cpuUsage();
    await delay(pauseMs);
    const { ok } = await hookwright.fetch(request);
    if (!ok) throw new Error("GET /v1/me of the other account was refused");
    durations.push(performance.now() - dueAt);
    const { user, system } = process.cpuUsage(begun);
    processorTimes.push((user + system) / 1_000);
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
  }
}

const server = createServer(hookwright.handler).listen(0, "127.0.0.1", 1_024, () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? (address?.port ?? 0) : 0, filled } satisfies Ready);
  void readAccount();
});
process.on("message", (message) => {
  if (message === "begin") {
    globalThis.gc?.();
    bytesBefore = process.memoryUsage().rss;
    peakBytes = bytesBefore;
    durations.length = 0;
    processorTimes.length = 0;
    return;
  }
  process.send?.({
    p99Ms: toP99(durations),
    p99ProcessorMs: toP99(processorTimes),
    grownBytes: peakBytes - bytesBefore,
  } satisfies Figures);
});
process.on("disconnect", () => process.exit());
