import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verify } from "@hookwright/signature";
import { monotonicMs } from "../support/monotonic-clock.ts";
import type { Received } from "./open-receiver.ts";

/**
 * The victim's endpoint in a separate process. It verifies each delivery and records the first arrival of each event.
 * Its first message is its address. The parent's first message is the signing secret. Each later message asks for the
 * results.
 */
const firstArrivals = new Map<string, number>();
let repeated = 0;
let forged = 0;
let secrets = "";

const server = createServer((request, response) => {
  buffer(request)
    .then(async (body) => {
      const arrivedAt = monotonicMs();
      const { id } = await verify({ body, headers: request.headers, secrets });
      if (firstArrivals.has(id)) repeated += 1;
      else firstArrivals.set(id, arrivedAt);
      response.writeHead(204).end();
    })
    .catch(() => {
      forged += 1;
      response.writeHead(400).end();
    });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  process.send?.({ origin: `http://127.0.0.1:${port}` });
});
process.once("message", (secret) => {
  secrets = String(secret);
  process.on("message", () => {
    process.send?.({ arrivals: [...firstArrivals], repeated, forged } satisfies Received);
  });
});
process.on("disconnect", () => process.exit(0));
