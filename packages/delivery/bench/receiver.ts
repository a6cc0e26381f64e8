import { createServer } from "node:net";

/**
 * A cheap receiver in its own process, so that its work is not counted as the sender's. It responds with `200` to each whole
 * request. The environment variable `REQUEST_BODY_BYTES` is the length of each request body.
 */
const bodyBytes = Number(process.env["REQUEST_BODY_BYTES"]);
const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"ok":true}';

const server = createServer({ noDelay: true }, (socket) => {
  let received: Buffer = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    for (;;) {
      const headEnd = received.indexOf("\r\n\r\n");
      if (headEnd === -1 || received.length < headEnd + 4 + bodyBytes) return;
      received = received.subarray(headEnd + 4 + bodyBytes);
      socket.write(answer);
    }
  });
});

server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.exit(0));
