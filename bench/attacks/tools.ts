import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";

const classes = ["2xx", "4xx", "429", "503", "5xx", "broken"] as const;

/** Responses by their status. `broken`: the connection ended, or 30 s passed, without a complete response. */
export type Counts = Record<"requests" | (typeof classes)[number], number>;

/** The requests of this process and their responses. */
export const counts: Counts = { requests: 0, "2xx": 0, "4xx": 0, "429": 0, "503": 0, "5xx": 0, broken: 0 };

function count(status: number | undefined): void {
  if (status === undefined) counts.broken += 1;
  else if (status === 429 || status === 503) counts[`${status}`] += 1;
  else counts[status < 400 ? "2xx" : status < 500 ? "4xx" : "5xx"] += 1;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The local address of the connection. @default that of the client */
  readonly localAddress?: string;
}

export interface HttpResult {
  /** `undefined` without a complete response. */
  readonly status: number | undefined;
  /** The response body, or the reason why there is none. */
  readonly body: string;
}

/** Sends one request. It never rejects, because a failure is a result. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResult>;

const timeoutMs = 30_000;

/** @param from.localAddress the local address of the connections @param from.keepAlive reuses them */
export function createHttpClient(
  origin: string,
  from: { readonly localAddress: string; readonly keepAlive: boolean },
): SendRequest {
  const agents = new Map<string, Agent>();
  const agentOf = (localAddress: string): Agent => {
    const agent =
      agents.get(localAddress) ??
      new Agent({ connect: { localAddress }, connections: null, pipelining: from.keepAlive ? 1 : 0 });
    agents.set(localAddress, agent);
    return agent;
  };
  return async ({ method, path, token, headers, body, localAddress = from.localAddress }) => {
    try {
      const response = await request(origin + path, {
        method,
        dispatcher: agentOf(localAddress),
        signal: AbortSignal.timeout(timeoutMs),
        body: body === undefined ? null : JSON.stringify(body),
        headers: {
          ...headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
      });
      return { status: response.statusCode, body: await response.body.text() };
    } catch (error) {
      return { status: undefined, body: error instanceof Error ? error.message : String(error) };
    }
  };
}

export async function sendCounted(send: SendRequest, asked: HttpRequest): Promise<HttpResult> {
  counts.requests += 1;
  const result = await send(asked);
  count(result.status);
  return result;
}

/** Refusals of an attack, so that the attackers leave CPU time to the server. */
const refusalsPerSecond = 300;
/** The pause after a broken or refused connection, which costs the kernel more. */
const brokenPauseMs = 500;

/** Sends requests in concurrent loops. Each loop sends the next request after the response. */
export function repeatRequests(send: SendRequest, loops: number, next: (count: number) => HttpRequest): void {
  let sent = 0;
  async function repeat(): Promise<never> {
    for (;;) {
      const { status } = await sendCounted(send, next(sent++));
      if (status === undefined) await pause(brokenPauseMs);
      else if (status >= 400) await pause((loops / refusalsPerSecond) * 1_000);
    }
  }
  for (let loop = 0; loop < loops; loop++) void repeat();
}

export interface HeldSockets {
  readonly count: number;
  /** The bytes that a socket sends when it opens. It sends nothing else. */
  readonly bytes: Buffer;
  /** `false` if the socket never reads, so that the server's writes stall. */
  readonly reads: boolean;
}

const openEveryMs = 50;
/** A socket that does not read notices only on a write that the server closed it. */
const probeEveryMs = 5_000;
/** Servers ignore an empty line before a request (RFC 9112, section 2.2). */
const probe = "\r\n";

/**
 * Keeps this many sockets of each kind open. It reopens closed and refused sockets at a limited rate.
 *
 * @param connectionsPerSecond for all kinds together
 */
export function holdSockets(url: string, connectionsPerSecond: number, kinds: readonly HeldSockets[]): void {
  const { hostname: host, port } = new URL(url);
  const missing = kinds.flatMap((kind) => Array.from({ length: kind.count }, () => kind));
  const notReading = new Set<Socket>();

  function open(kind: HeldSockets): void {
    const socket = connect({ host, port: Number(port), localAddress: "127.0.0.1" });
    let isAnswered = false;
    counts.requests += 1;
    if (kind.reads) {
      socket.once("data", (chunk: Buffer) => {
        isAnswered = true;
        const status = Number(/^HTTP\/1\.1 (\d{3})/u.exec(chunk.toString("latin1", 0, 12))?.[1]);
        count(status);
        if (status === 200) socket.resume();
        else socket.destroy();
      });
    } else {
      socket.pause();
      notReading.add(socket);
    }
    socket.once("error", () => socket.destroy());
    socket.once("close", () => {
      if (!isAnswered) count(undefined);
      notReading.delete(socket);
      missing.push(kind);
    });
    if (kind.bytes.length > 0) socket.write(kind.bytes);
  }

  let openedAt = performance.now();
  let allowance = 0;
  setInterval(() => {
    const now = performance.now();
    // Limits the burst after a pause of this process.
    allowance = Math.min(connectionsPerSecond, allowance + ((now - openedAt) / 1_000) * connectionsPerSecond);
    openedAt = now;
    for (; allowance >= 1 && missing.length > 0; allowance--) {
      const kind = missing.shift();
      if (kind !== undefined) open(kind);
    }
  }, openEveryMs);
  setInterval(() => {
    for (const socket of notReading) if (socket.writableLength === 0) socket.write(probe);
  }, probeEveryMs);
}
