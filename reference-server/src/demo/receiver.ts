import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { readDeliveryFacts, SignatureError, verify } from "@hookwright/signature";
import { listen } from "listhen";
import { demoNames, isTrafficOrder } from "./demo-names.ts";
import { randomToken } from "./random-text.ts";

/** A delivery that the demo's receiver got, and the result of its verification. */
export interface Receipt {
  readonly event: string;
  readonly deliveryId: string;
  /** The status of the receiver's response. */
  readonly status: number;
  readonly verified: boolean;
  /** True for an order that the demo publishes every three seconds. */
  readonly isTraffic: boolean;
  /** The end of the verification, in milliseconds of the monotonic clock. */
  readonly at: number;
}

export interface Receiver {
  /** A new id for each run. A GET of the receiver's path returns it. */
  readonly id: string;
  readonly origin: string;
  readonly targetUrl: string;
  /**
   * - `ok` is the target URL.
   * - `flaky` refuses about every third delivery, and `broken` all of them.
   * - `any` accepts every delivery without a check, for webhooks that a user creates.
   */
  readonly targets: Readonly<Record<"ok" | "flaky" | "broken" | "any", string>>;
  /** The time of the receiver, for deliveries of the past, and whether `broken` refuses them. By default it is now, and broken. */
  setTime(time: { readonly behindMs: number; readonly isBroken: boolean }): void;
  /** Sets the signing secret. Before that, the receiver refuses all deliveries. */
  expect(signingSecret: string): void;
  /** Calls the listener after each response to a delivery. Returns a function that removes it. */
  onReceipt(listener: (receipt: Receipt) => void): () => void;
  close(): Promise<void>;
}

/** What an endpoint that does not check deliveries answers, with a reason if it refuses. */
interface Plain {
  readonly status: number;
  readonly text?: string;
}
const accepted: Plain = { status: 204 };
const flawed: Plain = {
  status: 500,
  text: "TypeError: Cannot read properties of undefined (reading 'vat_id')",
};
const closed: Plain = { status: 503, text: "The stock database is down for maintenance" };

export interface ReceiverOptions {
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** @default Math.random */
  readonly random?: () => number;
}

/** A receiver on a free port of this machine, written as a customer would: raw body, `verify`, a status. */
export async function startReceiver({ now, random = Math.random }: ReceiverOptions): Promise<Receiver> {
  const id = randomToken();
  const listeners = new Set<(receipt: Receipt) => void>();
  let secret: string | undefined;
  let time = { behindMs: 0, isBroken: true };
  /** Endpoints that answer without a check. */
  const answers = new Map<string | undefined, () => Plain>([
    [`${demoNames.receiverPath}/flaky`, () => (random() < 1 / 3 ? flawed : accepted)],
    [`${demoNames.receiverPath}/broken`, () => (time.isBroken ? closed : accepted)],
    [`${demoNames.receiverPath}/any`, () => accepted],
  ]);

  async function receive(request: IncomingMessage): Promise<Receipt> {
    const body = await buffer(request);
    const isTraffic = isOfTraffic(body);
    const { deliveryId = "" } = readDeliveryFacts(request.headers);
    try {
      if (secret === undefined)
        return { event: "", deliveryId, status: 503, verified: false, isTraffic, at: now() };
      const { event } = await verify({
        body,
        headers: request.headers,
        secrets: secret,
        now: (Date.now() - time.behindMs) / 1_000,
      });
      return { event, deliveryId, status: 204, verified: true, isTraffic, at: now() };
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      return { event: "", deliveryId, status: error.status, verified: false, isTraffic, at: now() };
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

  const { server, address, close } = await listen(
    (request: IncomingMessage, response: ServerResponse) => {
      const isReceiver = request.url === demoNames.receiverPath;
      const plain = answers.get(request.url)?.();
      if (isReceiver && request.method === "POST") void answer(request, response);
      else if (isReceiver && request.method === "GET") response.end(id);
      else if (plain !== undefined)
        request.resume().on("end", () => response.writeHead(plain.status).end(plain.text));
      else response.writeHead(404).end();
    },
    { hostname: "127.0.0.1", port: { random: true }, showURL: false, autoClose: false },
  );
  const origin = `http://127.0.0.1:${address.port}`;
  const targetUrl = origin + demoNames.receiverPath;

  return {
    id,
    origin,
    targetUrl,
    targets: {
      ok: targetUrl,
      flaky: `${targetUrl}/flaky`,
      broken: `${targetUrl}/broken`,
      any: `${targetUrl}/any`,
    },
    setTime: (value) => {
      time = value;
    },
    expect: (signingSecret) => {
      secret = signingSecret;
    },
    onReceipt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      server.closeAllConnections();
      return close();
    },
  };
}

/** Only for the output: anybody may send such a body. */
function isOfTraffic(body: Uint8Array): boolean {
  try {
    return isTrafficOrder(String(JSON.parse(new TextDecoder().decode(body)).data.id));
  } catch {
    return false;
  }
}

/** True if the URL is a receiver of this demo or of an earlier one. */
export function isReceiverTarget(targetUrl: string): boolean {
  const url = URL.parse(targetUrl);
  return url?.hostname === "127.0.0.1" && `${url.pathname}/`.startsWith(`${demoNames.receiverPath}/`);
}
