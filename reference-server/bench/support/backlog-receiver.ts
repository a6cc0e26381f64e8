import { createServer } from "node:http";
import type { ServerResponse } from "node:http";

/**
 * Endpoints that keep a backlog waiting, in a process of its own behind two ports: one answers after 50 ms and accepts every fifth
 * delivery of a path alone; one accepts after eight seconds. The parent asks with any message and gets the number of deliveries since it
 * last asked.
 */
let deliveries = 0;
const countOf = new Map<string, number>();

function listen(answer: (path: string, response: ServerResponse) => void): Promise<number> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      deliveries += 1;
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

const failing = await listen((path, response) => {
  const count = (countOf.get(path) ?? 0) + 1;
  countOf.set(path, count);
  setTimeout(() => response.writeHead(count % 5 === 0 ? 204 : 500).end(), 50);
});
const slow = await listen((_, response) => {
  setTimeout(() => response.writeHead(204).end(), 8_000).unref();
});
process.send?.({ failing, slow });
process.on("message", () => {
  process.send?.(deliveries);
  deliveries = 0;
});
process.on("disconnect", () => process.exit(0));
