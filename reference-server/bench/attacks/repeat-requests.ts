import { setTimeout as pause } from "node:timers/promises";
import type { HttpRequest, SendRequest } from "./http-client.ts";
import type { Tally } from "./tally.ts";

export interface RepeatRequestsOptions {
  readonly send: SendRequest;
  /** The number of concurrent requests. */
  readonly loops: number;
  readonly next: () => HttpRequest;
  readonly tally: Tally;
}

/** The pause after a refusal, so that the attackers leave CPU time to the server. */
const refusedPauseMs = 100;
/** The pause after a broken or refused connection, which costs the kernel more. */
const brokenPauseMs = 500;

/** Sends requests in concurrent loops. Each loop sends the next request after the response. */
export function repeatRequests({ send, loops, next, tally }: RepeatRequestsOptions): void {
  async function repeat(): Promise<never> {
    for (;;) {
      const { outcome, status } = await send(next());
      tally.add(outcome);
      if (status === undefined) await pause(brokenPauseMs);
      else if (status === 429 || status === 503) await pause(refusedPauseMs);
    }
  }
  for (let loop = 0; loop < loops; loop++) void repeat();
}
