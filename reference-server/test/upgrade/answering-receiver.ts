import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface AnsweringReceiver extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Resolves when this many requests have arrived. */
  received(count: number): Promise<void>;
}

/** An endpoint that keeps each request, and answers it with the status for its path. */
export async function startAnsweringReceiver(
  statusFor: (path: string) => number,
): Promise<AnsweringReceiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(statusFor(path)).end();
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    received: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (requests.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
