/**
 * Compares the transport with undici: CPU time of the sending process for each delivery, and deliveries per second.
 * Run it with `node packages/delivery/bench/transport.ts`. The senders alternate, so a busy machine slows all of them.
 * The median round of each is compared.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "undici";
import type { Dispatcher } from "undici";
import { createTransport } from "../src/transport/transport.ts";

const deliveriesPerRound = 20_000;
const rounds = 7;
const inFlight = 64;
const body = "x".repeat(1_024);
const headers = {
  "content-type": "application/json",
  "user-agent": "Hookwright (+webhooks)",
  "x-service-event": "order.created",
  "x-service-delivery": "dlv_0192f0c6a2f27a3c9c0d7f1b2a3c4d5e",
  "x-service-timestamp": "1790000000",
  "x-service-signature": `v1=${"0".repeat(64)}`,
};
const headerLines = Object.entries(headers)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("");

interface Round {
  readonly cpuMicroseconds: number;
  readonly perSecond: number;
}

const receiver = fork(new URL("receiver.ts", import.meta.url), {
  env: { ...process.env, REQUEST_BODY_BYTES: String(body.length) },
});
const [address] = await once(receiver, "message");
const origin = `http://127.0.0.1:${address.port}`;
const agent = new Agent({ connections: inFlight, pipelining: 1 });
const transport = createTransport({ privateTargets: true });

const senders = {
  "undici request": sendWithRequest,
  "undici dispatch": sendWithDispatch,
  ours: sendWithOurs,
};

const results = new Map<string, Round[]>();
for (let round = 0; round <= rounds; round++) {
  for (const [name, send] of Object.entries(senders)) {
    const result = await measure(send);
    // The first round warms up.
    if (round > 0) results.set(name, [...(results.get(name) ?? []), result]);
  }
}
await transport.close();
await agent.close();
receiver.disconnect();

const ours = medianOf("ours");
for (const name of Object.keys(senders)) {
  const { cpuMicroseconds, perSecond } = medianOf(name);
  const ratio = (ours.cpuMicroseconds / cpuMicroseconds).toFixed(2);
  console.log(
    `${name.padEnd(16)} ${cpuMicroseconds.toFixed(1).padStart(6)} µs CPU, ${Math.round(perSecond)} a second, ours takes ${ratio} of its CPU`,
  );
}

function medianOf(name: string): Round {
  const sorted = (results.get(name) ?? []).toSorted(
    (one, other) => one.cpuMicroseconds - other.cpuMicroseconds,
  );
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) throw new Error(`nothing was measured for ${name}`);
  return median;
}

async function measure(send: () => Promise<number | null>): Promise<Round> {
  let left = deliveriesPerRound;
  const sendUntilDone = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const status = await send();
      if (status !== 200) throw new Error(`the receiver responded with ${status}`);
    }
  };
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: inFlight }, sendUntilDone));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpuMicroseconds: (user + system) / deliveriesPerRound, perSecond: deliveriesPerRound / seconds };
}

async function sendWithOurs(): Promise<number | null> {
  const answer = await transport.send({
    accountId: "acc_1",
    targetUrl: `${origin}/hooks`,
    headerLines,
    body,
    timeoutMs: 10_000,
  });
  return answer.status;
}

async function sendWithRequest(): Promise<number> {
  const answer = await agent.request({
    origin,
    path: "/hooks",
    method: "POST",
    headers,
    body,
    headersTimeout: 10_000,
  });
  await answer.body.text();
  return answer.statusCode;
}

function sendWithDispatch(): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let excerpt = "";
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        excerpt += chunk.toString();
      },
      onResponseEnd() {
        if (excerpt === "") reject(new Error("the response has no body"));
        else resolve(status);
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    };
    agent.dispatch(
      { origin, path: "/hooks", method: "POST", headers, body, headersTimeout: 10_000 },
      handler,
    );
  });
}
