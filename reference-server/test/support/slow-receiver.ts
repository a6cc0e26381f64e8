import { createServer } from "node:http";

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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    get requests() {
      return requests;
    },
    reached: reached.promise,
    answer: () => released.resolve(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
