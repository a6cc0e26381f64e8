import { connect as connectPlain, isIP } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { SecureContext } from "node:tls";
import type { Target } from "./target.ts";

export interface OpenSocketOptions {
  readonly lookup: LookupFunction;
  readonly secureContext: SecureContext;
  /** Of an earlier connection to the same origin. */
  readonly session: Buffer | undefined;
  /** The source address. Only receivers with an address of its version (IPv4 or IPv6) are reached. */
  readonly localAddress: string | undefined;
  /** Gets the number of bytes that were read. The memory is overwritten by the next read. */
  readonly onBytes: (memory: Buffer, length: number) => void;
}

/** Node's default of 250 ms is too short for a receiver on another continent. */
const nextAddressAfterMs = 1_000;

const readBytes = 16_384;
/**
 * All sockets read into the same memory, where Node would allocate 64 KiB for each read. On Windows a read begins before
 * something arrives, so each socket needs its own.
 */
const sharedMemory = process.platform === "win32" ? undefined : Buffer.allocUnsafeSlow(readBytes);

/** Begins to connect. The events of the socket show the progress. */
export function openSocket(target: Target, options: OpenSocketOptions): Socket {
  const { lookup, onBytes, localAddress } = options;
  const { hostname, port } = target;
  const memory = sharedMemory ?? Buffer.allocUnsafeSlow(readBytes);
  const connectOptions = {
    host: hostname,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    noDelay: true,
    ...(localAddress === undefined ? {} : { localAddress, family: isIP(localAddress) }),
    onread: {
      buffer: memory,
      callback(length: number, read: Uint8Array): boolean {
        // A tool that wraps sockets may use its own memory.
        onBytes(read === memory ? memory : Buffer.from(read.buffer, read.byteOffset, read.length), length);
        return true;
      },
    },
  };
  if (!target.isSecure) return connectPlain(connectOptions);
  return connectSecure({ ...connectOptions, ...toTlsOptions(target, options) });
}

/** Uses a tunnel through a proxy as if it were the connection to the endpoint. The certificate must be for `host`. */
export function openSocketInTunnel(
  tunnel: Socket,
  target: Target,
  options: Pick<OpenSocketOptions, "secureContext" | "session" | "onBytes">,
): Socket {
  const socket = target.isSecure
    ? connectSecure({ socket: tunnel, host: target.hostname, ...toTlsOptions(target, options) })
    : tunnel;
  socket.on("data", (chunk: Buffer) => options.onBytes(chunk, chunk.length));
  return socket;
}

function toTlsOptions(
  { serverName }: Target,
  { secureContext, session }: Pick<OpenSocketOptions, "secureContext" | "session">,
) {
  return {
    secureContext,
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(session === undefined ? {} : { session }),
    ALPNProtocols: ["http/1.1"],
  };
}
