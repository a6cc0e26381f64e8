import { setTimeout as pause } from "node:timers/promises";
import { monotonicMs } from "../support/monotonic-clock.ts";
import { sampleOrder } from "../support/sample-order.ts";
import { createHttpClient } from "./http-client.ts";
import type { HttpRequest, SendRequest } from "./http-client.ts";

export interface VictimAccount {
  readonly url: string;
  readonly hostToken: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
  readonly projectId: string;
}

/** One request of the victim. */
export interface Sample {
  /** When it was sent, in milliseconds of the machine's monotonic clock. */
  readonly atMs: number;
  readonly tookMs: number;
  /** The status, or the reason why there is no response. */
  readonly outcome: string;
  readonly succeeded: boolean;
}

export interface Publish extends Sample {
  /** The `id` of the delivery body. */
  readonly eventId: string;
}

export interface Samples {
  readonly publishes: readonly Publish[];
  readonly reads: readonly Sample[];
  readonly probes: readonly Sample[];
  readonly signIns: readonly Sample[];
}

export interface Victim {
  /** The completed requests so far. */
  readonly samples: Samples;
  /** The number of requests in progress. */
  readonly unanswered: number;
  /** Stops sending. Resolves when every request has ended, at most after their timeout of 30 s. */
  stop(): Promise<void>;
}

const publishEveryMs = 50;
/** 120 per minute, which is below the rate limit of 200. */
const readEveryMs = 500;
const probeEveryMs = 200;
const signInEveryMs = 1_000;

/**
 * Sends requests at fixed times, whether or not earlier ones have ended. Only sign-ins wait for each other. The host
 * reuses its connections. All other requests open a new one, to test whether the server accepts connections.
 */
export function startVictim(account: VictimAccount): Victim {
  const { url, hostToken, apiKey, email, password, projectId } = account;
  const host = createHttpClient(url, { localAddress: "127.0.0.3", keepAlive: true });
  const client = createHttpClient(url, { localAddress: "127.0.0.2", keepAlive: false });
  const publishes: Publish[] = [];
  const reads: Sample[] = [];
  const probes: Sample[] = [];
  const signIns: Sample[] = [];
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let orders = 0;

  async function publish(): Promise<void> {
    const id = `ord_victim_${++orders}`;
    const data = { ...sampleOrder(orders), id };
    const body = { event: "order.created", project_id: projectId, data };
    const request = { method: "POST", path: "/host/v1/events", token: hostToken, body };
    publishes.push({ ...(await measure(host, request)), eventId: `order.created_${id}` });
  }

  const measureTo = (samples: Sample[], request: HttpRequest) => async (): Promise<void> => {
    samples.push(await measure(client, request));
  };
  const read = { method: "GET", path: "/v1/orders?limit=10", token: apiKey };
  const signIn = { method: "POST", path: "/console/api/session", body: { email, password } };

  function begin(act: () => Promise<void>): Promise<void> {
    const done = act().finally(() => underWay.delete(done));
    underWay.add(done);
    return done;
  }

  async function pauseUntil(due: number): Promise<void> {
    const options = { signal: stopping.signal };
    await pause(Math.max(0, due - monotonicMs()), undefined, options).catch(() => {});
  }

  async function every(intervalMs: number, act: () => Promise<void>): Promise<void> {
    for (let due = monotonicMs(); !stopping.signal.aborted; due += intervalMs) {
      void begin(act);
      await pauseUntil(due + intervalMs);
    }
  }

  /** A person does not sign in again before the first sign-in has ended. */
  async function oneAtATimeEvery(intervalMs: number, act: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      const due = monotonicMs() + intervalMs;
      await begin(act);
      await pauseUntil(due);
    }
  }

  const running = [
    every(publishEveryMs, publish),
    every(readEveryMs, measureTo(reads, read)),
    every(probeEveryMs, measureTo(probes, { method: "GET", path: "/healthz" })),
    oneAtATimeEvery(signInEveryMs, measureTo(signIns, signIn)),
  ];
  return {
    samples: { publishes, reads, probes, signIns },
    get unanswered() {
      return underWay.size;
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
      await Promise.all(underWay);
    },
  };
}

async function measure(send: SendRequest, request: HttpRequest): Promise<Sample> {
  const atMs = monotonicMs();
  const { status, body } = await send(request);
  const succeeded = status !== undefined && status >= 200 && status < 300;
  return {
    atMs,
    tookMs: monotonicMs() - atMs,
    outcome: status === undefined ? body : `${status}`,
    succeeded,
  };
}
