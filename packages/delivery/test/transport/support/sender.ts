import { onTestFinished, vi } from "vitest";
import type { Answer } from "../../../src/transport/answer.ts";
import { createTransport } from "../../../src/transport/transport.ts";
import type { OutgoingRequest, TransportOptions } from "../../../src/transport/transport.ts";

export interface Sender {
  send(targetUrl: string, request?: Partial<OutgoingRequest>): Promise<Answer>;
  close(): Promise<void>;
}

/** Every name resolves to this machine. */
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

/** From now on each round of the event loop takes one millisecond, so that a busy machine causes no time-outs. */
export function passTimeByRounds(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  let passes = true;
  const round = (): void => {
    if (!passes) return;
    vi.advanceTimersByTime(1);
    setImmediate(round);
  };
  setImmediate(round);
  onTestFinished(() => {
    passes = false;
    vi.useRealTimers();
  });
}
