import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { close, listen } from "./listener-load.ts";
import { startProgram } from "./program.ts";
import { sampleBody } from "./sample-order.ts";

/**
 * The CPU time of one event on one stream, without a store and without Hookwright: a signature with a secret of the stream, JSON and a
 * write to the socket. In microseconds.
 */
export async function measureBareStreams(streams: number, events: number): Promise<number> {
  const open: ServerResponse[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
    open.push(response);
  });
  const origin = await listen(server);
  const names = Array.from({ length: streams }, (_, number) => `lsn_${number}/none`);
  await using readers = startProgram(new URL("stream-readers.ts", import.meta.url), {
    args: [origin, ...names],
  });
  await readers.nextMessage();
  const body = sampleBody();
  const before = process.cpuUsage();
  for (let event = 0; event < events; event++) {
    open.forEach((response, index) => {
      const signature = createHmac("sha256", `whsec_${index}`).update(`${event}.${body}`).digest("hex");
      const data = JSON.stringify({ headers: { "X-Service-Signature": `v1=${signature}` }, body });
      response.write(`id: dlv_${event}\nevent: delivery\ndata: ${data}\n\n`);
    });
    // The sockets write what they have before the next event.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(before);
  for (const response of open) response.end();
  close(server);
  return (user + system) / (events * streams);
}
