import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { listenLocally } from "./listen-locally.ts";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver extends AsyncDisposable {
  readonly origin: string;
  /** Returns the next delivery, as soon as it arrives. */
  next(): Promise<Received>;
  /** The deliveries that no call of `next` has returned. */
  readonly waiting: readonly Received[];
}

/** A receiver on this machine that accepts everything. */
export async function openReceiver(): Promise<Receiver> {
  const waiting: Received[] = [];
  let onReceived = (): void => {};
  const server = createServer(async (request, response) => {
    waiting.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(204).end();
    onReceived();
  });
  const local = await listenLocally(server);
  return {
    origin: local.origin,
    waiting,
    async next() {
      if (waiting.length === 0) await new Promise<void>((resolve) => (onReceived = resolve));
      const [received] = waiting.splice(0, 1);
      if (received === undefined) throw new Error("a call of onReceived follows a push");
      return received;
    },
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}
