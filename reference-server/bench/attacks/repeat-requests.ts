import { setTimeout as pause } from "node:timers/promises";
import type { HttpRequest, HttpResult, SendRequest } from "./http-client.ts";
import type { Tally } from "./tally.ts";

export interface RepeatRequestsOptions {
  readonly send: SendRequest;
  /** The number of concurrent requests. */
  readonly loops: number;
  readonly next: (count: number) => HttpRequest;
  readonly tally: Tally;
}

/** Refusals of an attack, so that the attackers leave CPU time to the server. */
const refusalsPerSecond = 300;
/** The pause after a broken or refused connection, which costs the kernel more. */
const brokenPauseMs = 500;

/** Sends requests in concurrent loops. Each loop sends the next request after the response. */
export function repeatRequests({ send, loops, next, tally }: RepeatRequestsOptions): void {
  let count = 0;
  async function repeat(): Promise<never> {
    for (;;) {
      const { status } = await sendCounted(send, next(count++), tally);
      if (status === undefined) await pause(brokenPauseMs);
      else if (status >= 400) await pause((loops / refusalsPerSecond) * 1_000);
    }
  }
  for (let loop = 0; loop < loops; loop++) void repeat();
}

export async function sendCounted(
  send: SendRequest,
  request: HttpRequest,
  tally: Tally,
): Promise<HttpResult> {
  tally.request();
  const result = await send(request);
  tally.response(result.status);
  return result;
}
