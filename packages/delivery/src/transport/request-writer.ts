import type { Socket } from "node:net";

/** Writes a request: its head, ended by the length of its body, and its body as UTF-8. */
export type RequestWriter = (
  socket: Pick<Socket, "write">,
  request: {
    /** The request line and header lines, ASCII, each ended by CRLF; without `Content-Length`. */
    readonly lines: string;
    readonly body: string;
    /** TLS still reads what it was given after `write` has returned. */
    readonly secure: boolean;
  },
) => void;

/** A tick's requests, some three hundred of 1.5 KB: one that did not fit would have new memory fetched, which is not in the processor's cache. */
const sharedBytes = 524_288;
/** Whatever is longer gets memory of its own. */
const longestShared = 16_384;

/** Memory that requests are put into one behind the other. Once all of them have been taken over, it begins anew. */
interface SharedMemory {
  readonly bytes: Buffer;
  used: number;
  /** Requests in it that the socket still needs. */
  underWay: number;
  readonly onTaken: () => void;
}

/**
 * Puts requests together in memory they share, so that deliveries leave no buffers to be collected. A place in it is free when the
 * socket says so, and not before: the kernel has nearly always taken a plain request over when `write` returns, but a socket that
 * somebody has wrapped, such as a tool that watches what a program sends, may hold the bytes for a while and tell nobody.
 */
export function createRequestWriter(): RequestWriter {
  let shared = openSharedMemory();
  return (socket, { lines, body, secure }) => {
    const bodyBytes = Buffer.byteLength(body);
    const head = `${lines}content-length: ${bodyBytes}\r\n\r\n`;
    const length = head.length + bodyBytes;
    if (secure || length > longestShared) {
      socket.write(fill(Buffer.allocUnsafe(length), head, body));
      return;
    }
    // What is still needed of the old one keeps it alive.
    if (shared.used + length > sharedBytes) shared = openSharedMemory();
    const bytes = shared.bytes.subarray(shared.used, shared.used + length);
    shared.used += length;
    shared.underWay += 1;
    socket.write(fill(bytes, head, body), shared.onTaken);
  };
}

function fill(bytes: Buffer, head: string, body: string): Buffer {
  bytes.write(head, "latin1");
  bytes.write(body, head.length);
  return bytes;
}

function openSharedMemory(): SharedMemory {
  const shared: SharedMemory = {
    bytes: Buffer.allocUnsafeSlow(sharedBytes),
    used: 0,
    underWay: 0,
    onTaken: () => {
      shared.underWay -= 1;
      if (shared.underWay === 0) shared.used = 0;
    },
  };
  return shared;
}
