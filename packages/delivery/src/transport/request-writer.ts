import type { Socket } from "node:net";

/** Writes a request: its head, ended by the length of its body, and its body as UTF-8. */
export type RequestWriter = (
  socket: Pick<Socket, "write" | "writableLength">,
  request: {
    /** The request line and header lines, ASCII, each ended by CRLF; without `Content-Length`. */
    readonly lines: string;
    readonly body: string;
    /** TLS still reads what it was given after `write` has returned. */
    readonly secure: boolean;
  },
) => void;

const sharedBytes = 16_384;

/**
 * Puts requests together in memory they share. The kernel has nearly always taken a plain request over when `write` returns;
 * the memory is then free for the next, and no delivery leaves a buffer to be collected.
 */
export function createRequestWriter(): RequestWriter {
  let shared = Buffer.allocUnsafeSlow(sharedBytes);
  return (socket, { lines, body, secure }) => {
    const bodyBytes = Buffer.byteLength(body);
    const head = `${lines}content-length: ${bodyBytes}\r\n\r\n`;
    const length = head.length + bodyBytes;
    const shares = !secure && length <= sharedBytes;
    const bytes = shares ? shared.subarray(0, length) : Buffer.allocUnsafe(length);
    bytes.write(head, "latin1");
    bytes.write(body, head.length);
    socket.write(bytes);
    // Whoever is slow to take it keeps it.
    if (shares && socket.writableLength > 0) shared = Buffer.allocUnsafeSlow(sharedBytes);
  };
}
