import { createServer } from "node:http";
import { listenLocally } from "../../../packages/hookwright/test/support/listen-locally.ts";

export interface SlowReceiver extends AsyncDisposable {
  readonly url: string;
  readonly requests: number;
  /** Resolves when a request waits for its response. */
  readonly reached: Promise<void>;
  /** Responds to all waiting requests, and immediately to later ones. */
  answer(): void;
}

/** An endpoint that responds with 204, but only when the test says so. */
export async function startSlowReceiver(): Promise<SlowReceiver> {
  let requests = 0;
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    reached.resolve();
    void released.promise.then(() => response.writeHead(204).end());
  });
  const listening = await listenLocally(server);
  return {
    url: `${listening.origin}/hooks`,
    get requests() {
      return requests;
    },
    reached: reached.promise,
    answer: () => released.resolve(),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
