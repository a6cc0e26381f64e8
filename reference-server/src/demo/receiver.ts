import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { readDeliveryFacts, SignatureError, verify } from "@hookwright/signature";
import { demoNames } from "./demo-names.ts";
import { randomToken } from "./random-text.ts";

/** A delivery that the demo's receiver got, and the result of its verification. */
export interface Receipt {
  readonly event: string;
  readonly deliveryId: string;
  /** The status of the receiver's response. */
  readonly status: number;
  readonly verified: boolean;
  /** The end of the verification, in milliseconds of the monotonic clock. */
  readonly at: number;
}

export interface Receiver {
  /** A new id for each run. A GET of the receiver's path returns it. */
  readonly id: string;
  readonly origin: string;
  readonly targetUrl: string;
  /** Sets the signing secret. Before that, the receiver refuses all deliveries. */
  expect(signingSecret: string): void;
  /** Calls the listener after each response to a delivery. Returns a function that removes it. */
  onReceipt(listener: (receipt: Receipt) => void): () => void;
  close(): Promise<void>;
}

/** A receiver on a free port of this machine, written as a customer would: raw body, `verify`, a status. */
export async function startReceiver({ now }: { readonly now: () => number }): Promise<Receiver> {
  const id = randomToken();
  const listeners = new Set<(receipt: Receipt) => void>();
  let secret: string | undefined;

  async function receive(request: IncomingMessage): Promise<Receipt> {
    const body = await buffer(request);
    const { deliveryId = "" } = readDeliveryFacts(request.headers);
    try {
      if (secret === undefined) return { event: "", deliveryId, status: 503, verified: false, at: now() };
      const { event } = await verify({ body, headers: request.headers, secrets: secret });
      return { event, deliveryId, status: 204, verified: true, at: now() };
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      return { event: "", deliveryId, status: error.status, verified: false, at: now() };
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const receipt = await receive(request);
      response.writeHead(receipt.status).end();
      for (const listener of listeners) listener(receipt);
    } catch {
      response.destroy();
    }
  }

  const server = createServer((request, response) => {
    const isReceiver = request.url === demoNames.receiverPath;
    if (isReceiver && request.method === "POST") void answer(request, response);
    else if (isReceiver && request.method === "GET") response.end(id);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the demo's receiver has no port");
  const origin = `http://127.0.0.1:${address.port}`;

  return {
    id,
    origin,
    targetUrl: origin + demoNames.receiverPath,
    expect: (signingSecret) => {
      secret = signingSecret;
    },
    onReceipt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** True if the URL is a receiver of this demo or of an earlier one. */
export function isReceiverTarget(targetUrl: string): boolean {
  const url = URL.parse(targetUrl);
  return url?.hostname === "127.0.0.1" && url.pathname === demoNames.receiverPath;
}
