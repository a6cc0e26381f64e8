import { connect as connectPlain } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { SecureContext } from "node:tls";
import type { Endpoint } from "./endpoint.ts";

export interface OpenSocketOptions {
  readonly lookup: LookupFunction;
  readonly secureContext: SecureContext;
  /** Of an earlier connection to the same origin. */
  readonly session: Buffer | undefined;
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
export function openSocket(endpoint: Endpoint, options: OpenSocketOptions): Socket {
  const { lookup, secureContext, session, onBytes } = options;
  const { hostname, port, serverName } = endpoint;
  const memory = sharedMemory ?? Buffer.allocUnsafeSlow(readBytes);
  const target = {
    host: hostname,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    noDelay: true,
    onread: {
      buffer: memory,
      callback(length: number, read: Uint8Array): boolean {
        // A tool that wraps sockets may use its own memory.
        onBytes(read === memory ? memory : Buffer.from(read.buffer, read.byteOffset, read.length), length);
        return true;
      },
    },
  };
  if (!endpoint.isSecure) return connectPlain(target);
  return connectSecure({
    ...target,
    secureContext,
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(session === undefined ? {} : { session }),
    ALPNProtocols: ["http/1.1"],
  });
}
