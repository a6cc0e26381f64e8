import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { readDeliveryFacts, SignatureError, verify } from "@hookwright/signature";
import { demoNames } from "./demo-names.ts";
import { randomToken } from "./random-text.ts";

/** A delivery that came to the demo's receiver, and what its signature was worth. */
export interface Receipt {
  readonly event: string;
  readonly deliveryId: string;
  /** What the receiver answered. */
  readonly status: number;
  readonly verified: boolean;
  /** When the verification had ended; milliseconds of the monotonic clock. */
  readonly at: number;
}

export interface Receiver {
  /** Of this run alone. Whoever asks for the receiver's path with GET is told it. */
  readonly id: string;
  readonly origin: string;
  readonly targetUrl: string;
  /** Deliveries are refused until the receiver knows the signing secret of its webhook. */
  expect(signingSecret: string): void;
  /** Calls back for every delivery, once it has been answered; the answer ends that. */
  onReceipt(listener: (receipt: Receipt) => void): () => void;
  close(): Promise<void>;
}

/** A receiver on a free port of this machine, as a customer would write one: raw body in, `verify`, a status out. */
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

/** Whether a webhook leads to the receiver of this demo, or of one that ran before. */
export function isReceiverTarget(targetUrl: string): boolean {
  const url = URL.parse(targetUrl);
  return url?.hostname === "127.0.0.1" && url.pathname === demoNames.receiverPath;
}
