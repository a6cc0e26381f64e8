import { setTimeout as pause } from "node:timers/promises";
import { monotonicMs } from "../harness/monotonic-clock.ts";
import { sampleOrder } from "../harness/sample-order.ts";
import { createHttpClient } from "./tools.ts";
import type { HttpRequest, SendRequest } from "./tools.ts";

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
  readonly kind: "publish" | "read" | "probe" | "sign-in";
  /** When it was sent, in milliseconds of the machine's monotonic clock. */
  readonly atMs: number;
  readonly tookMs: number;
  /** The status, or the reason why there is no response. */
  readonly outcome: string;
  readonly succeeded: boolean;
  /** Of `publish`: the `id` of the delivery body. */
  readonly eventId?: string;
}

export interface Victim {
  /** The completed requests so far. */
  readonly samples: readonly Sample[];
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
  const samples: Sample[] = [];
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let orders = 0;

  async function measure(kind: Sample["kind"], send: SendRequest, request: HttpRequest, eventId = "") {
    const atMs = monotonicMs();
    const { status, body } = await send(request);
    const succeeded = status !== undefined && status >= 200 && status < 300;
    const outcome = status === undefined ? body : `${status}`;
    samples.push({ kind, atMs, tookMs: monotonicMs() - atMs, outcome, succeeded, eventId });
  }

  async function every(intervalMs: number, act: () => Promise<void>, oneAtATime = false): Promise<void> {
    for (let due = monotonicMs(); !stopping.signal.aborted;) {
      const done = act().finally(() => underWay.delete(done));
      underWay.add(done);
      if (oneAtATime) await done;
      due = oneAtATime ? Math.max(due + intervalMs, monotonicMs()) : due + intervalMs;
      const options = { signal: stopping.signal };
      await pause(Math.max(0, due - monotonicMs()), undefined, options).catch(() => {});
    }
  }

  const publish = (): Promise<void> => {
    const id = `ord_victim_${++orders}`;
    const body = { event: "order.created", project_id: projectId, data: { ...sampleOrder(orders), id } };
    const request = { method: "POST", path: "/host/v1/events", token: hostToken, body } as const;
    return measure("publish", host, request, `order.created_${id}`);
  };
  const read = { method: "GET", path: "/v1/orders?limit=10", token: apiKey } as const;
  const probe = { method: "GET", path: "/healthz" } as const;
  const signIn = { method: "POST", path: "/console/api/session", body: { email, password } } as const;
  const running = [
    every(publishEveryMs, publish),
    every(readEveryMs, () => measure("read", client, read)),
    every(probeEveryMs, () => measure("probe", client, probe)),
    // A person does not sign in again before the first sign-in has ended.
    every(signInEveryMs, () => measure("sign-in", client, signIn), true),
  ];
  return {
    samples,
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
