import { createServer } from "node:net";
import type { Socket } from "node:net";

/**
 * A webhook receiver in a separate process: responds with 200 and counts all and repeated deliveries. Each message of
 * the parent gets `{ received, distinct }`, and "reset" resets the counts.
 *
 * It supports only the HTTP of its senders, directly on the socket, because a complete server would use as much CPU as
 * the sender.
 */
const answer = Buffer.from("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok");
/** For paths that begin with `/close/`. */
const lastAnswer = Buffer.from(
  "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok",
);
const endOfHead = "\r\n\r\n";
const contentLength = /\r\ncontent-length: *(\d+)/i;
const deliveryId = /\r\nx-service-delivery: *([^\r]+)/i;
/** The ids in order of arrival, each after a line feed. They are split on request, because splitting is slow. */
let ids = Buffer.alloc(16 * 1024 * 1024);
let idBytes = 0;
let received = 0;

function note(id: string): void {
  if (idBytes + id.length + 1 > ids.length) ids = Buffer.concat([ids], ids.length * 2);
  idBytes += ids.write(`\n${id}`, idBytes, "latin1");
}

function countDistinct(): number {
  return new Set(ids.toString("latin1", 0, idBytes).split("\n").slice(1)).size;
}

function serve(socket: Socket): void {
  let waiting: Buffer | undefined;
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    waiting = waiting === undefined ? chunk : Buffer.concat([waiting, chunk]);
    for (;;) {
      const end = waiting.indexOf(endOfHead);
      if (end === -1) return;
      const head = waiting.toString("latin1", 0, end);
      const total = end + endOfHead.length + Number(contentLength.exec(head)?.[1] ?? 0);
      if (waiting.length < total) return;
      received += 1;
      const id = deliveryId.exec(head)?.[1];
      if (id !== undefined) note(id);
      if (head.startsWith("POST /close/")) return void socket.end(lastAnswer);
      socket.write(answer);
      if (waiting.length === total) break;
      waiting = waiting.subarray(total);
    }
    waiting = undefined;
  });
}

const server = createServer(serve);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : undefined });
});

process.on("message", (message) => {
  process.send?.({ received, distinct: countDistinct() });
  if (message !== "reset") return;
  received = 0;
  idBytes = 0;
});
process.on("disconnect", () => process.exit(0));
