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

/** Some forty requests of 1.5 KB. One that is not taken over holds no more than this. */
const sharedBytes = 65_536;
/** So many are kept for the next round of the event loop, which may have three hundred requests: new memory is not in the processor's cache. */
const mostFree = 8;
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
  let shared = openSharedMemory(onFree);
  const free: SharedMemory[] = [];

  function onFree(memory: SharedMemory): void {
    if (memory !== shared && free.length < mostFree) free.push(memory);
  }

  return (socket, { lines, body, secure }) => {
    const bodyBytes = Buffer.byteLength(body);
    const head = `${lines}content-length: ${bodyBytes}\r\n\r\n`;
    const length = head.length + bodyBytes;
    if (secure || length > longestShared) {
      socket.write(fill(Buffer.allocUnsafe(length), head, body));
      return;
    }
    // What is still needed of the old one keeps it alive.
    if (shared.used + length > sharedBytes) shared = free.pop() ?? openSharedMemory(onFree);
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

/** @param onFree nothing in it is needed any more */
function openSharedMemory(onFree: (memory: SharedMemory) => void): SharedMemory {
  const shared: SharedMemory = {
    bytes: Buffer.allocUnsafeSlow(sharedBytes),
    used: 0,
    underWay: 0,
    onTaken: () => {
      shared.underWay -= 1;
      if (shared.underWay > 0) return;
      shared.used = 0;
      onFree(shared);
    },
  };
  return shared;
}
