import { connect as connectPlain } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { SecureContext } from "node:tls";
import type { Endpoint } from "./endpoint.ts";

export interface OpenSocketOptions {
  readonly endpoint: Endpoint;
  readonly lookup: LookupFunction;
  readonly secureContext: SecureContext;
  /** Of an earlier connection to the same origin. */
  readonly session: Buffer | undefined;
  /** Told of what was read: so many bytes, good until it returns, because their memory serves the next read. */
  readonly onBytes: (bytes: Buffer, length: number) => void;
}

/** Node gives up on an address after 250 ms when there is another one: too soon for a receiver across an ocean. */
const nextAddressAfterMs = 1_000;

const readBytes = 16_384;
/**
 * All sockets read into the same memory: each read is handed over before the next one begins. Otherwise Node allocates 64 KiB for
 * every answer. On Windows reads are under way before anything has come, each with memory of its own.
 */
const sharedMemory = process.platform === "win32" ? undefined : Buffer.allocUnsafeSlow(readBytes);

/** Begins to connect. The socket tells by its events how far it has come. */
export function openSocket({ endpoint, lookup, secureContext, session, onBytes }: OpenSocketOptions): Socket {
  const memory = sharedMemory ?? Buffer.allocUnsafeSlow(readBytes);
  const target = {
    host: endpoint.hostname,
    port: endpoint.port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    noDelay: true,
    onread: {
      buffer: memory,
      callback(length: number, read: Uint8Array): boolean {
        // A socket that somebody has wrapped may have memory of its own.
        onBytes(read === memory ? memory : Buffer.from(read.buffer, read.byteOffset, read.length), length);
        return true;
      },
    },
  };
  if (!endpoint.secure) return connectPlain(target);
  return connectSecure({
    ...target,
    secureContext,
    ...(endpoint.serverName === undefined ? {} : { servername: endpoint.serverName }),
    ...(session === undefined ? {} : { session }),
    ALPNProtocols: ["http/1.1"],
  });
}
