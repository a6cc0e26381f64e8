import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";

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
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    waiting,
    async next() {
      if (waiting.length === 0) await new Promise<void>((resolve) => (onReceived = resolve));
      const [received] = waiting.splice(0, 1);
      if (received === undefined) throw new Error("a call of onReceived follows a push");
      return received;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
