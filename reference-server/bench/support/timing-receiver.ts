import { createServer } from "node:http";

/**
 * A receiver in a process of its own that notes when each delivery came, on the machine's monotonic clock. It listens
 * twice: behind one port everything is accepted at once, behind the other nothing is answered for ten seconds.
 * The parent asks with any message and gets the times since it last asked; what hangs then is hung up on, lest it wait.
 */
const hangMs = 10_000;
let arrivals: [deliveryId: string, milliseconds: number][] = [];

interface Listening {
  readonly port: number;
  hangUp(): void;
}

function listen(answerAfterMs: number): Promise<Listening> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      arrivals.push([String(request.headers["x-service-delivery"]), Number(process.hrtime.bigint()) / 1e6]);
      const answer = (): void => void response.writeHead(204).end();
      if (answerAfterMs === 0) answer();
      else setTimeout(answer, answerAfterMs).unref();
    });
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : -1;
      resolve({ port, hangUp: () => server.closeAllConnections() });
    });
  });
}

const healthy = await listen(0);
const hanging = await listen(hangMs);
process.send?.({ healthy: healthy.port, hanging: hanging.port });
process.on("message", () => {
  hanging.hangUp();
  process.send?.(arrivals);
  arrivals = [];
});
process.on("disconnect", () => process.exit(0));
