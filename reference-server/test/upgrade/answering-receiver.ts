import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { listenLocally } from "../../../packages/hookwright/test/support/listen-locally.ts";

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
  const listening = await listenLocally(server);
  return {
    url: listening.origin,
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
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
