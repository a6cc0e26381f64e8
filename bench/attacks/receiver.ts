import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verify } from "@hookwright/signature";
import { monotonicMs } from "../harness/monotonic-clock.ts";

/** What the receiver has got. */
export interface Received {
  /** The event ids and the first arrival of each, in milliseconds of the machine's monotonic clock. */
  readonly arrivals: readonly (readonly [eventId: string, atMs: number])[];
  /** The number of repeated deliveries. */
  readonly repeated: number;
  /** The number of deliveries with a wrong signature. */
  readonly forged: number;
}

/**
 * The victim's endpoint in a separate process. It verifies each delivery and records the first arrival of each event.
 * Its first message is its address. The parent's first message is the signing secret. Each message is answered with
 * the results so far.
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
  process.send?.(`http://127.0.0.1:${port}`);
});
process.on("message", (message) => {
  if (secrets === "") secrets = String(message);
  process.send?.({ arrivals: [...firstArrivals], repeated, forged } satisfies Received);
});
process.on("disconnect", () => process.exit(0));
