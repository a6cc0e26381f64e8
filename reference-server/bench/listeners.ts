import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { applyHeapSettings } from "../src/heap-settings.ts";
import { startProgram } from "./support/program.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { printTable, quantile } from "./support/table.ts";

/**
 * Measures the time from the call of `publish` until the reader of a listener has the event, and how many deliveries to
 * webhooks a second run without listeners and with a hundred, all with a reader.
 */
const samples = Number(process.env["BENCH_SAMPLES"] ?? 500);
const orders = Number(process.env["BENCH_ORDERS"] ?? 5_000);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const accounts = 10;
const listenersOfAccount = 10;
const publishesAtOnce = 32;

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function createListener(origin: string, token: string): Promise<string> {
  const response = await fetch(`${origin}/developer/v1/listeners`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  const { data }: { readonly data: { readonly id: string } } = await response.json();
  return data.id;
}

async function addAccount(hookwright: Hookwright, name: string): Promise<string> {
  await hookwright.accounts.put(`acc_${name}`, { email: `${name}@example.com` });
  await hookwright.projects.put(`site_${name}`, { account_id: `acc_${name}`, name });
  const { api_key: token } = await hookwright.apiKeys.create(`acc_${name}`, { name: "bench" });
  return token;
}

/** One listener, one publish after the other. */
async function measureLatency(store: Store): Promise<number[]> {
  await using hookwright = await createHookwright({ store, secret: "s".repeat(32) });
  const server = createServer(hookwright.handler);
  const origin = await listen(server);
  const token = await addAccount(hookwright, "one");
  const listenerId = await createListener(origin, token);
  const asked = request(`${origin}/developer/v1/listeners/${listenerId}/events`, {
    headers: { authorization: `Bearer ${token}` },
  }).end();
  const response = await new Promise<IncomingMessage>((resolve) => asked.once("response", resolve));
  let arrived = (): void => {};
  response.setEncoding("latin1").on("data", (text: string) => {
    if (text.includes("event: delivery")) arrived();
  });
  const latencies: number[] = [];
  while (latencies.length < samples) {
    const start = performance.now();
    const arrival = new Promise<number>((resolve) => (arrived = () => resolve(performance.now() - start)));
    const data = sampleOrder(latencies.length);
    await hookwright.publish({ event: "order.created", project_id: "site_one", data });
    latencies.push(await arrival);
    // Longer than reads of a feed are apart, so that none waits.
    await pause(30);
  }
  asked.destroy();
  close(server);
  return latencies;
}

interface Throughput {
  readonly perSecond: number;
  /** Events that the readers got. */
  readonly streamed: number;
}

async function measureThroughput(store: Store, withListeners: boolean): Promise<Throughput> {
  let received = 0;
  let finished = (): void => {};
  const receiver = createServer((incoming, outgoing) => {
    incoming.resume().on("end", () => {
      outgoing.writeHead(204).end();
      received += 1;
      if (received % orders === 0) finished();
    });
  });
  const target = await listen(receiver);
  await using hookwright = await createHookwright({ store, secret: "s".repeat(32), privateTargets: true });
  const server = createServer(hookwright.handler);
  const origin = await listen(server);
  const streams: string[] = [];
  for (let number = 0; number < accounts; number++) {
    const token = await addAccount(hookwright, String(number));
    await hookwright.webhooks.create(
      { accountId: `acc_${number}`, credential: { type: "console" } },
      { event: "order.created", target_url: `${target}/` },
    );
    for (let each = 0; withListeners && each < listenersOfAccount; each++)
      streams.push(`${await createListener(origin, token)}/${token}`);
  }
  await using readers = startProgram(new URL("support/stream-readers.ts", import.meta.url), {
    args: [origin, ...streams],
  });
  await readers.nextMessage();
  const rates: number[] = [];
  let number = 0;
  for (let round = 0; round < rounds; round++) {
    const done = new Promise<void>((resolve) => (finished = resolve));
    const start = performance.now();
    const end = number + orders;
    const publishNext = async (): Promise<void> => {
      while (number < end) {
        const data = sampleOrder(number++);
        const project_id = `site_${number % accounts}`;
        await hookwright.publish({ event: "order.created", project_id, data });
      }
    };
    await Promise.all(Array.from({ length: publishesAtOnce }, publishNext));
    await done;
    rates.push(orders / ((performance.now() - start) / 1_000));
  }
  await pause(500);
  const streamed = Number(await readers.request("count"));
  close(server);
  close(receiver);
  return {
    perSecond: quantile(
      rates.toSorted((one, other) => one - other),
      0.5,
    ),
    streamed,
  };
}

const storages: readonly [
  name: string,
  use: <Result>(run: (store: Store) => Promise<Result>) => Promise<Result>,
][] = [
  [
    "memory",
    async (run) => {
      await using store = memoryStore();
      return await run(store);
    },
  ],
  [
    "filesystem",
    async (run) => {
      const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
      try {
        await using store = await openFilesystemStore({ directory });
        return await run(store);
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  ],
];

applyHeapSettings("memory");
const latencyRows: Record<string, string>[] = [];
const throughputRows: Record<string, string>[] = [];
for (const [name, use] of storages) {
  const latencies = await use(measureLatency);
  latencyRows.push({
    "": name,
    events: String(latencies.length),
    "p50 ms": quantile(latencies, 0.5).toFixed(2),
    "p99 ms": quantile(latencies, 0.99).toFixed(2),
    target: "p50 < 50",
  });
  for (const withListeners of [false, true]) {
    const { perSecond, streamed } = await use((store) => measureThroughput(store, withListeners));
    throughputRows.push({
      "": name,
      listeners: withListeners ? String(accounts * listenersOfAccount) : "0",
      "deliveries/s": perSecond.toFixed(0),
      "events at the readers": streamed.toLocaleString("en"),
    });
  }
}
printTable("Publish to the reader of a listener, one after the other", latencyRows);
printTable(
  `Deliveries to webhooks of ${accounts} accounts, ${orders.toLocaleString("en")} orders a round`,
  throughputRows,
);
console.log();
