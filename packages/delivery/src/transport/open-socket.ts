import { connect as connectPlain } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { SecureContext } from "node:tls";
import type { Endpoint } from "./endpoint.ts";

export interface OpenSocketOptions {
  readonly endpoint: Endpoint;
  readonly lookup: LookupFunction;
  /** Shared by all connections: reading the authorities anew for each one costs more than the handshake. */
  readonly secureContext: SecureContext;
  /** Of an earlier connection to the same origin. */
  readonly session: Buffer | undefined;
}

/** Node gives up on an address after 250 ms when there is another one: too soon for a receiver across an ocean. */
const nextAddressAfterMs = 1_000;

/** Begins to connect. The socket tells by its events how far it has come. */
export function openSocket({ endpoint, lookup, secureContext, session }: OpenSocketOptions): Socket {
  const target = {
    host: endpoint.hostname,
    port: endpoint.port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    noDelay: true,
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
