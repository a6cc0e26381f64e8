import { setTimeout as pause } from "node:timers/promises";
import type { HttpRequest, SendRequest } from "./http-client.ts";
import type { Tally } from "./tally.ts";

export interface RepeatRequestsOptions {
  readonly send: SendRequest;
  /** So many requests are under way at a time. */
  readonly loops: number;
  readonly next: () => HttpRequest;
  readonly tally: Tally;
}

/** After a refusal, so that the attackers do not take the processor that the server needs. */
const refusedPauseMs = 100;
/** After a broken or refused connection: each attempt costs the kernel a new one. */
const brokenPauseMs = 500;

/** Sends requests in loops, each as fast as it is answered. */
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
