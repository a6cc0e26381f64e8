import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";

/** Reads event streams in a process of its own. Sends the number of events and resets it when it is asked. */
const [origin = "", ...streams] = process.argv.slice(2);
let events = 0;

for (const stream of streams) {
  const [path = "", token = ""] = stream.split(" ");
  const asked = request(origin + path, { headers: { authorization: `Bearer ${token}` } }).end();
  const response = await new Promise<IncomingMessage>((resolve) => asked.once("response", resolve));
  if (response.statusCode !== 200) throw new Error(`the stream got ${response.statusCode}`);
  response.setEncoding("latin1").on("data", (text: string) => {
    for (let at = text.indexOf("event: "); at !== -1; at = text.indexOf("event: ", at + 1)) events += 1;
  });
  // The first comment: the stream is open.
  await once(response, "data");
}

process.send?.("ready");
process.on("message", () => {
  process.send?.(events);
  events = 0;
});
process.once("disconnect", () => process.exit());
