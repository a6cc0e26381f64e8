import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { startServer } from "../../test/support/server-process.ts";
import type { ServerProcess, ServerProcessOptions } from "../../test/support/server-process.ts";
import { monotonicMs } from "./monotonic-clock.ts";
import type { TimingReceiver } from "./open-timing-receiver.ts";
import { createPublisher } from "./publisher.ts";
import { sampleOrder } from "./sample-order.ts";

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
  readonly url: string;
  /** The time from its start until it was ready. */
  readonly readyMs: number;
  /** Publishes for this time. Returns the milliseconds from each publish to its receipt. */
  publishFor(milliseconds: number, load: Load): Promise<number[]>;
  /** Stops its processes until `resume`. */
  pause(): void;
  resume(): void;
  /** Anonymous memory, without memory-mapped files. */
  anonymousMebibytes(): Promise<number>;
}

export interface MeasuredServerOptions {
  readonly server: ServerProcessOptions;
  readonly token: string;
  readonly receiver: TimingReceiver;
  /** A worker for the server, which is stopped together with it. */
  readonly worker?: ServerProcess | undefined;
}

/** The wait after the last publish for missing deliveries. */
const longestWaitMs = 10_000;
/** All orders are different, for all servers. */
let orders = 0;

export async function startMeasuredServer(options: MeasuredServerOptions): Promise<MeasuredServer> {
  const { token, receiver, worker } = options;
  const begun = performance.now();
  const server = await startServer(options.server);
  while (!(await fetch(`${server.url}/readyz`)).ok) await pause(5);
  const readyMs = performance.now() - begun;
  const publisher = createPublisher(server.url, token);

  function signal(name: NodeJS.Signals): void {
    server.signal(name);
    worker?.signal(name);
  }

  async function publishFor(milliseconds: number, load: Load): Promise<number[]> {
    const { publishEveryMs, projects, ordersAtOnce = 1, isTimed = () => true } = load;
    const publishedAt = new Map<string, number>();
    const publishing: Promise<void>[] = [];
    const start = monotonicMs();
    for (let due = start; due < start + milliseconds; due += publishEveryMs) {
      await pause(Math.max(0, due - monotonicMs()));
      const events = Array.from({ length: ordersAtOnce }, () => {
        const project = projects[++orders % projects.length] ?? "";
        return {
          event: "order.created",
          project_id: project,
          data: { ...sampleOrder(orders), id: `ord_${orders}` },
        };
      });
      const at = monotonicMs();
      publishing.push(
        publisher.publish(events).then((deliveries) =>
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
    url: server.url,
    readyMs,
    publishFor,
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    async anonymousMebibytes() {
      const status = await readFile(`/proc/${server.pid}/status`, "utf8");
      return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
    },
    async [Symbol.asyncDispose]() {
      publisher[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
