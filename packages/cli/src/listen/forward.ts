import { request as requestHttp } from "node:http";
import type { IncomingMessage, RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { explainConnection } from "../api/api-errors.ts";
import { isLoopback } from "../api/is-loopback.ts";
import type { ReceivedDelivery } from "./received-delivery.ts";

export interface ForwardResult {
  /** The status of the response. Null without a response. */
  readonly status: number | null;
  /** From the connection to the response headers. */
  readonly durationMs: number;
  /** The beginning of the response body. */
  readonly excerpt: string;
  /** Why there is no response. */
  readonly error: string | undefined;
}

export interface ForwardOptions {
  readonly target: URL;
  /** Headers that are added. They never replace a header of the delivery. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether any certificate is accepted. @default only on this machine */
  readonly skipVerify?: boolean;
  /** @default 10_000, as the service waits */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const excerptBytes = 4_096;
/** These belong to the connection, so they are set for each one. */
const ofConnection = new Set(["host", "connection", "content-length", "transfer-encoding"]);

/**
 * Sends a delivery to a local URL: exactly the headers and bytes that a webhook gets. `fetch` would add headers of its
 * own, so this uses `node:http` without its defaults. A redirect is not followed, and a self-signed certificate of this
 * machine is accepted.
 */
export function forward(
  { headers, body }: ReceivedDelivery,
  { target, headers: added = {}, skipVerify = false, timeoutMs = 10_000, signal }: ForwardOptions,
): Promise<ForwardResult> {
  const bytes = Buffer.from(body, "utf8");
  const own = Object.entries(headers).filter(([name]) => !ofConnection.has(name.toLowerCase()));
  const taken = new Set(own.map(([name]) => name.toLowerCase()));
  const options: RequestOptions & { rejectUnauthorized?: boolean } = {
    method: "POST",
    setDefaultHeaders: false,
    headers: Object.fromEntries([
      ["Host", target.host],
      ...own,
      ...Object.entries(added).filter(([name]) => !taken.has(name.toLowerCase())),
      ["Content-Length", String(bytes.length)],
      ["Connection", "close"],
    ]),
    agent: false,
    ...(skipVerify || isLoopback(target.hostname) ? { rejectUnauthorized: false } : {}),
  };
  const limit = AbortSignal.timeout(timeoutMs);
  const startedAt = performance.now();
  const elapsed = (): number => Math.round((performance.now() - startedAt) * 10) / 10;
  return new Promise((resolve) => {
    const fail = (error: Error): void =>
      resolve({
        status: null,
        durationMs: elapsed(),
        excerpt: "",
        error: limit.aborted ? `no response within ${timeoutMs / 1_000} s` : explain(error, target),
      });
    const onResponse = (response: IncomingMessage): void => {
      const durationMs = elapsed();
      void readExcerpt(response).then((excerpt) =>
        resolve({ status: response.statusCode ?? null, durationMs, excerpt, error: undefined }),
      );
    };
    const combined = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    const send = target.protocol === "https:" ? requestHttps : requestHttp;
    send(target, { ...options, signal: combined }, onResponse)
      .on("error", fail)
      .end(bytes);
  });
}

/** The beginning of the body. The response is accepted with its headers, so a body that breaks off is no failure. */
async function readExcerpt(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response) {
      const bytes = Buffer.from(part);
      parts.push(bytes);
      length += bytes.length;
      if (length > excerptBytes) break;
    }
  } catch {
    // What arrived before is shown.
  }
  const bytes = Buffer.concat(parts);
  const text = new TextDecoder().decode(bytes.subarray(0, excerptBytes), {
    stream: bytes.length > excerptBytes,
  });
  return bytes.length > excerptBytes ? `${text}…` : text;
}

function explain(error: Error & { readonly code?: string }, target: URL): string {
  if (error.code === "ECONNREFUSED") return `nothing listens on ${target.host}`;
  if (error.code === "ENOTFOUND") return `${target.hostname} is not a known name`;
  const advice = explainConnection(target.href, error);
  if (advice !== undefined) return advice;
  if (error.code === "ECONNRESET") return `${target.host} closed the connection before its response`;
  return error.message === "" ? (error.code ?? error.name) : error.message;
}
