import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verify } from "@hookwright/signature";
import type { WebhookEvent } from "@hookwright/signature";

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** The first delivery, verified with {@link secrets}. Rejects with the error of the verifier. */
  readonly arrived: Promise<WebhookEvent>;
  readonly secrets: string[];
}

/** Starts a server that receives and verifies deliveries. */
export async function openReceiver(): Promise<Receiver> {
  const secrets: string[] = [];
  const { promise: arrived, resolve, reject } = Promise.withResolvers<WebhookEvent>();
  arrived.catch(() => {});
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => verify({ body, headers: request.headers, secrets }))
      .then(resolve, reject)
      .finally(() => response.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("a TCP server has a port");
  return {
    url: `http://127.0.0.1:${address.port}/reviews`,
    arrived,
    secrets,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
