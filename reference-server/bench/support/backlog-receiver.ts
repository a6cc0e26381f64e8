import { createServer } from "node:http";
import type { ServerResponse } from "node:http";

/**
 * A receiver in a process of its own, behind three ports: one accepts at once and notes when each delivery came, on the
 * machine's monotonic clock; one answers after 50 ms and accepts every fifth delivery of a path alone; one accepts after
 * eight seconds. The parent asks with any message and gets the times, and the answers of the bad ports, since it last asked.
 */
let arrivals: [deliveryId: string, milliseconds: number][] = [];
let answersOfBad = 0;
const countOf = new Map<string, number>();

function listen(answer: (path: string, response: ServerResponse) => void): Promise<number> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const id = String(request.headers["x-service-delivery"]);
      if (request.url === "/healthy") arrivals.push([id, Number(process.hrtime.bigint()) / 1e6]);
      else answersOfBad += 1;
      answer(request.url ?? "", response);
    });
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : -1);
    });
  });
}

const healthy = await listen((_, response) => void response.writeHead(204).end());
const failing = await listen((path, response) => {
  const count = (countOf.get(path) ?? 0) + 1;
  countOf.set(path, count);
  setTimeout(() => response.writeHead(count % 5 === 0 ? 204 : 500).end(), 50);
});
const slow = await listen((_, response) => {
  setTimeout(() => response.writeHead(204).end(), 8_000).unref();
});
process.send?.({ healthy, failing, slow });
process.on("message", () => {
  process.send?.({ arrivals, answersOfBad });
  arrivals = [];
  answersOfBad = 0;
});
process.on("disconnect", () => process.exit(0));
