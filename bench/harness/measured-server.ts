import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { startServer } from "../../reference-server/test/support/server-process.ts";
import type { ServerProcessOptions } from "../../reference-server/test/support/server-process.ts";
import { benchSecret } from "./deliver.ts";
import { callsTo } from "./host-client.ts";
import type { Call } from "./host-client.ts";
import { monotonicMs } from "./monotonic-clock.ts";
import type { Receiver } from "./receiver.ts";
import { sampleOrder } from "./sample-order.ts";

export const hostToken = "host-token-of-the-bench";

/** Starts the built server, which delivers to this machine. `env` has its storage and other settings. */
export function startBenchServer({ env, ...options }: ServerProcessOptions) {
  return startServer({
    ...options,
    env: {
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_SECRET: benchSecret,
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
      ...env,
    },
  });
}

/** What is published to a server, at a fixed rate. */
export interface Load {
  readonly publishEveryMs: number;
  /** The number of orders per call. @default 1 */
  readonly ordersAtOnce?: number;
  /** The projects of the orders, round-robin. Each has one webhook. */
  readonly projects: readonly string[];
  /** Selects the projects whose latencies are measured. @default all projects */
  readonly isTimed?: (project: string) => boolean;
}

/** A server process. Orders are published to it, and the latency of their deliveries is measured. */
export interface MeasuredServer extends AsyncDisposable {
  readonly pid: number;
  readonly call: Call;
  /** The time from its start until it was ready. */
  readonly readyMs: number;
  /** Publishes for this time. Returns the milliseconds from each publish to its receipt. */
  publishFor(milliseconds: number, load: Load): Promise<number[]>;
}

/** The wait after the last publish for missing deliveries. */
const longestWaitMs = 10_000;
/** All orders are different, for all servers. */
let orders = 0;

export async function startMeasuredServer(
  options: ServerProcessOptions,
  receiver: Receiver,
): Promise<MeasuredServer> {
  const begun = performance.now();
  const env = { HOOKWRIGHT_RATE_LIMIT: "1000000000", ...options.env };
  const server = await startBenchServer({ ...options, env });
  while (!(await fetch(`${server.url}/readyz`)).ok) await pause(5);
  const readyMs = performance.now() - begun;
  const host = new Pool(server.url);

  /** Returns the ids of the deliveries in order, one of each event. */
  async function publish(events: readonly object[]): Promise<readonly string[]> {
    const { body } = await host.request({
      method: "POST",
      path: "/host/v1/events",
      headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
      body: JSON.stringify(events),
    });
    const text = await body.text();
    const { data }: { readonly data?: readonly { readonly deliveries: readonly string[] }[] } =
      JSON.parse(text);
    const ids = data?.flatMap(({ deliveries }) => deliveries) ?? [];
    if (ids.length !== events.length) throw new Error(`expected one delivery per event: ${text}`);
    return ids;
  }

  async function publishFor(milliseconds: number, load: Load): Promise<number[]> {
    const { publishEveryMs, projects, ordersAtOnce = 1, isTimed = () => true } = load;
    const publishedAt = new Map<string, number>();
    const publishing: Promise<void>[] = [];
    const start = monotonicMs();
    for (let due = start; due < start + milliseconds; due += publishEveryMs) {
      await pause(Math.max(0, due - monotonicMs()));
      const events = Array.from({ length: ordersAtOnce }, () => ({
        event: "order.created",
        project_id: projects[++orders % projects.length] ?? "",
        data: sampleOrder(orders),
      }));
      const at = monotonicMs();
      publishing.push(
        publish(events).then((deliveries) =>
          deliveries.forEach((id, index) => {
            if (isTimed(events[index]?.project_id ?? "")) publishedAt.set(id, at);
          }),
        ),
      );
    }
    await Promise.all(publishing);
    return receiptsOf(publishedAt);
  }

  async function receiptsOf(publishedAt: ReadonlyMap<string, number>): Promise<number[]> {
    const latencies: number[] = [];
    // A repeated delivery counts once.
    const waiting = new Map(publishedAt);
    for (const giveUpAt = monotonicMs() + longestWaitMs; waiting.size > 0; await pause(5)) {
      if (monotonicMs() > giveUpAt) throw new Error(`${waiting.size} deliveries are missing`);
      for (const [id, at] of await receiver.arrivals()) {
        const published = waiting.get(id);
        if (published !== undefined) latencies.push(at - published);
        waiting.delete(id);
      }
    }
    return latencies;
  }

  return {
    pid: server.pid,
    call: callsTo(server.url, hostToken),
    readyMs,
    publishFor,
    async [Symbol.asyncDispose]() {
      await host.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}
