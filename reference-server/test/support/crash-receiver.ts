import { createServer } from "node:http";
import { listenLocally } from "../../../packages/hookwright/test/support/listen-locally.ts";

export interface CrashReceiver extends AsyncDisposable {
  /**
   * `/steady` accepts immediately. `/flaky` refuses the first attempt of every fourth delivery, so never thirty in a
   * row, and `/ordered` of a few.
   */
  readonly url: string;
  /** How often each delivery was accepted, by its id, in the order of the first time. */
  readonly accepted: ReadonlyMap<string, number>;
  /** The deliveries accepted since the last call, in order. */
  takeAccepted(): readonly string[];
  /** Resolves when no connection is open. Then all data that a dead server had sent has been read. */
  quiet(): Promise<void>;
}

/** An endpoint that outlives its servers. */
export async function startCrashReceiver(): Promise<CrashReceiver> {
  const accepted = new Map<string, number>();
  const met = new Set<string>();
  let latest: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on("error", () => response.destroy());
    request.on("end", (): void => {
      const delivery = String(request.headers["x-service-delivery"]);
      const isFirstTry = !met.has(delivery);
      met.add(delivery);
      const period = request.url === "/flaky" ? 4 : request.url === "/ordered" ? 97 : Infinity;
      if (isFirstTry && met.size % period === 0) return void response.writeHead(503).end();
      latest.push(delivery);
      accepted.set(delivery, (accepted.get(delivery) ?? 0) + 1);
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  const listening = await listenLocally(server);
  return {
    url: listening.origin,
    accepted,
    takeAccepted() {
      const taken = latest;
      latest = [];
      return taken;
    },
    async quiet() {
      for (;;) {
        const open = await new Promise<number>((resolve, reject) => {
          server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
        });
        // A request in the last bytes of a connection is handled one event-loop iteration later.
        await new Promise((resolve) => setImmediate(resolve));
        if (open === 0) return;
      }
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
