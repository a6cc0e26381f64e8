import { onTestFinished, vi } from "vitest";
import type { Answer } from "../../../src/transport/answer.ts";
import { createTransport } from "../../../src/transport/transport.ts";
import type { OutgoingRequest, TransportOptions } from "../../../src/transport/transport.ts";

export interface Sender {
  send(targetUrl: string, request?: Partial<OutgoingRequest>): Promise<Answer>;
  close(): Promise<void>;
}

/** Every name leads to this machine. */
export const resolveToLoopback = async () => [{ address: "127.0.0.1", family: 4 }];

/** A transport that reaches receivers on this machine, and is closed when the test has finished. */
export function openSender(options: TransportOptions = {}): Sender {
  const transport = createTransport({ privateTargets: true, resolve: resolveToLoopback, ...options });
  onTestFinished(() => transport.close());
  return {
    send: (targetUrl, request = {}) =>
      transport.send({
        accountId: "acc_1",
        targetUrl,
        headerLines: "x-service-event: order.paid\r\n",
        body: "{}",
        timeoutMs: 5_000,
        ...request,
      }),
    close: () => transport.close(),
  };
}

/**
 * From now on a millisecond passes each time the event loop has gone round, for every timer and duration of the test: what is on its way
 * within this process comes in time, however long the machine has it wait.
 */
export function passTimeByTurns(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  let passes = true;
  const turn = (): void => {
    if (!passes) return;
    vi.advanceTimersByTime(1);
    setImmediate(turn);
  };
  setImmediate(turn);
  onTestFinished(() => {
    passes = false;
    vi.useRealTimers();
  });
}
