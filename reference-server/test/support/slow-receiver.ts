import { createServer } from "node:http";

export interface SlowReceiver extends AsyncDisposable {
  readonly url: string;
  readonly requests: number;
  /** Resolves once a request is waiting for its answer. */
  readonly reached: Promise<void>;
  /** Answers what waits, and all that comes later at once. */
  answer(): void;
}

/** An endpoint that answers 204 when it is told to, not before. */
export async function startSlowReceiver(): Promise<SlowReceiver> {
  let requests = 0;
  const reached = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    reached.resolve();
    void told.promise.then(() => response.writeHead(204).end());
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
    answer: () => told.resolve(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
