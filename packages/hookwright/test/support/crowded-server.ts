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

/** What another account and the process have noticed since the start. */
export interface Figures {
  /** The 99th percentile of `GET /v1/me` of the other account, in milliseconds. */
  readonly p99Ms: number;
  /** The growth of the resident memory since `begin`, at most. */
  readonly grownBytes: number;
}

/**
 * A server with a large account, in a process of its own. It sends `Ready` and answers the message `figures` with those since `begin`. The requests of
 * the other account are made in this process, so a slow client does not change their figures.
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
let bytesBefore = Number.POSITIVE_INFINITY;
let peakBytes = 0;
async function readAccount(): Promise<void> {
  const request = new Request("http://localhost/v1/me", { headers: { authorization: `Bearer ${smallKey}` } });
  for (;;) {
    // A request that is late because the process is busy has waited, too.
    const dueAt = performance.now() + pauseMs;
    await delay(pauseMs);
    const { ok } = await hookwright.fetch(request);
    if (!ok) throw new Error("GET /v1/me of the other account was refused");
    durations.push(performance.now() - dueAt);
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
    return;
  }
  const sorted = durations.toSorted((one, other) => one - other);
  process.send?.({
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY,
    grownBytes: peakBytes - bytesBefore,
  } satisfies Figures);
});
process.on("disconnect", () => process.exit());
