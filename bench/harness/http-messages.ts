import { createServer } from "node:net";
import type { Socket } from "node:net";

const endOfHead = Buffer.from("\r\n\r\n");
const contentLength = /\r\ncontent-length: *(\d+)/i;

/**
 * Calls back with the head and the body of each message of a connection, one at a time. It supports only the HTTP that
 * the benches use: bodies with a length, no pipelining. A complete HTTP library creates garbage, and its collection
 * would distort the results.
 */
export function onMessages(socket: Socket, onMessage: (head: string, body: Buffer) => void): void {
  let received: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    for (;;) {
      const headLength = received.indexOf(endOfHead);
      if (headLength === -1) return;
      const head = received.toString("latin1", 0, headLength);
      const start = headLength + endOfHead.length;
      const end = start + Number(contentLength.exec(head)?.[1] ?? 0);
      if (received.length < end) return;
      const body = received.subarray(start, end);
      received = received.subarray(end);
      onMessage(head, body);
    }
  });
}

/** Listens on a free port of this machine and returns the port. */
export function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer({ noDelay: true }, onConnection);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : -1);
    });
  });
}
