import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verify } from "@hookwright/signature";
import type { WebhookEvent } from "@hookwright/signature";
import { listenLocally } from "../../../packages/hookwright/test/support/listen-locally.ts";

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
  });
  const local = await listenLocally(server);
  return {
    url: `${local.origin}/reviews`,
    arrived,
    secrets,
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}
