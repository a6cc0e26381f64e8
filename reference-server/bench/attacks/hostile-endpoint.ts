import { listen, onMessages } from "../support/http-messages.ts";

export interface HostileEndpoint {
  readonly origin: string;
  /** Requests so far. */
  readonly received: number;
}

/** A header section of almost 16 KiB, which is the server's limit, and a body of 4 KiB. */
const largeResponse = [
  "HTTP/1.1 200 OK\r\ncontent-length: 4096\r\n",
  ...Array.from({ length: 62 }, (_, index) => `x-filler-${100 + index}: ${"h".repeat(244)}\r\n`),
  "\r\n",
  "b".repeat(4_096),
].join("");

const responses = {
  large: Buffer.from(largeResponse),
  failing: Buffer.from("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n"),
  accepting: Buffer.from("HTTP/1.1 204 No Content\r\n\r\n"),
  silent: Buffer.alloc(0),
};

/** An endpoint that gives the same response to every delivery immediately, or none if it is `silent`. */
export async function openHostileEndpoint(kind: keyof typeof responses): Promise<HostileEndpoint> {
  let received = 0;
  const port = await listen((socket) => {
    socket.on("error", () => socket.destroy());
    onMessages(socket, () => {
      received += 1;
      socket.write(responses[kind]);
    });
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    get received() {
      return received;
    },
  };
}
