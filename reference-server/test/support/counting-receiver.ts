import { createServer } from "node:http";
import { listenLocally } from "../../../packages/hookwright/test/support/listen-locally.ts";

export interface CountingReceiver extends AsyncDisposable {
  readonly url: string;
  /** How often each delivery arrived, by its id. */
  readonly seen: ReadonlyMap<string, number>;
  readonly requests: number;
  /** Deliveries that arrived more than once. */
  readonly duplicates: number;
  /** Resolves when this many different deliveries have arrived. */
  received(count: number): Promise<void>;
}

/** An endpoint that answers everything alike, by default with 204 at once, and counts it. */
export async function startCountingReceiver({
  answerAfterMs = 0,
  status = 204,
}: { readonly answerAfterMs?: number; readonly status?: number } = {}): Promise<CountingReceiver> {
  const seen = new Map<string, number>();
  let requests = 0;
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const delivery = String(request.headers["x-service-delivery"]);
      seen.set(delivery, (seen.get(delivery) ?? 0) + 1);
      requests += 1;
      const answer = (): void => void response.writeHead(status).end();
      if (answerAfterMs === 0) answer();
      else setTimeout(answer, answerAfterMs);
      waiting.forEach((look) => look());
    });
  });
  server.keepAliveTimeout = 60_000;
  const listening = await listenLocally(server);
  return {
    url: `${listening.origin}/hooks`,
    seen,
    get requests() {
      return requests;
    },
    get duplicates() {
      return [...seen.values()].filter((times) => times > 1).length;
    },
    received: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (seen.size < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
