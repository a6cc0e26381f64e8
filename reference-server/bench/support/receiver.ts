import { createServer } from "node:http";

/**
 * A webhook receiver in a process of its own: answers 200 and counts deliveries and repeated ones.
 * The parent asks with any message and gets `{ received, distinct }`; "reset" forgets what was counted.
 */
const seen = new Set<string>();
let received = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    received += 1;
    const delivery = request.headers["x-service-delivery"];
    if (typeof delivery === "string") seen.add(delivery);
    response.writeHead(200, { "content-length": 2 });
    response.end("ok");
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : undefined });
});

process.on("message", (message) => {
  process.send?.({ received, distinct: seen.size });
  if (message !== "reset") return;
  received = 0;
  seen.clear();
});
process.on("disconnect", () => process.exit(0));
