import { connect } from "node:net";
import type { Socket } from "node:net";
import type { Tally } from "./tally.ts";

export interface HeldSockets {
  readonly count: number;
  /** The bytes that a socket sends when it opens. It sends nothing else. */
  readonly bytes: () => Buffer;
  /** `false` if the socket never reads, so that the server's writes stall. */
  readonly reads: boolean;
}

export interface HoldSocketsOptions {
  readonly url: string;
  readonly kinds: readonly HeldSockets[];
  /** New connections per second, for all kinds together. */
  readonly connectionsPerSecond: number;
  readonly tally: Tally;
}

const openEveryMs = 50;
/** A socket that does not read notices only on a write that the server closed it. */
const probeEveryMs = 5_000;
/** Servers ignore an empty line before a request (RFC 9112, section 2.2). */
const probe = "\r\n";

/** Keeps this many sockets of each kind open. It reopens closed and refused sockets at a limited rate. */
export function holdSockets({ url, kinds, connectionsPerSecond, tally }: HoldSocketsOptions): void {
  const { hostname, port } = new URL(url);
  const missing = kinds.flatMap((kind) => Array.from({ length: kind.count }, () => kind));
  const notReading = new Set<Socket>();

  function open(kind: HeldSockets): void {
    const socket = connect({ host: hostname, port: Number(port), localAddress: "127.0.0.1" });
    let isAnswered = false;
    tally.request();
    if (kind.reads) {
      socket.once("data", (chunk: Buffer) => {
        isAnswered = true;
        const status = Number(/^HTTP\/1\.1 (\d{3})/u.exec(chunk.toString("latin1", 0, 12))?.[1]);
        tally.response(status);
        if (status === 200) socket.resume();
        else socket.destroy();
      });
    } else {
      socket.pause();
      notReading.add(socket);
    }
    socket.once("error", () => socket.destroy());
    socket.once("close", () => {
      if (!isAnswered) tally.response(undefined);
      notReading.delete(socket);
      missing.push(kind);
    });
    const bytes = kind.bytes();
    if (bytes.length > 0) socket.write(bytes);
  }

  let openedAt = performance.now();
  let allowance = 0;
  setInterval(() => {
    const now = performance.now();
    // Limits the burst after a pause of this process.
    allowance = Math.min(connectionsPerSecond, allowance + ((now - openedAt) / 1_000) * connectionsPerSecond);
    openedAt = now;
    for (; allowance >= 1 && missing.length > 0; allowance--) {
      const kind = missing.shift();
      if (kind !== undefined) open(kind);
    }
  }, openEveryMs);
  setInterval(() => {
    for (const socket of notReading) if (socket.writableLength === 0) socket.write(probe);
  }, probeEveryMs);
}
