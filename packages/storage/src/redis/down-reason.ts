import type { Cluster, Redis } from "ioredis";

/** Why a connection is not ready, as far as the network or Redis has told. */
export interface DownReason {
  /** The last error that says something; undefined while all is well. */
  readonly last: unknown;
  note(error: unknown): void;
}

/** What ioredis says of its own state, after what led to it; also of its own question whether the server is ready. */
const saysNothing = /Connection is closed\.$|isn't writeable|Reached the max retries per request limit/u;
/**
 * With TLS 1.3 a server refuses the certificate of its client after the client has begun to write, and resets the connection: what comes
 * first, the alert or the reset, differs from try to try.
 */
const isReset = /\b(?:ECONNRESET|EPIPE)\b/u;
const isAlert = /\bSSL alert\b/u;

/**
 * Listens to the errors of a client; without a listener ioredis writes each of them to standard error.
 *
 * A server that still loads its data set takes connections and is silent about why nothing follows: ioredis asks until it has
 * loaded, and tells nobody. So it is asked here too, once for each connection.
 */
export function createDownReason(client: Redis | Cluster): DownReason {
  let last: unknown;

  function note(error: unknown): void {
    if (says(error, saysNothing) || (says(error, isReset) && says(last, isAlert))) return;
    last = error;
  }

  client.on("error", note);
  client.on("ready", () => (last = undefined));
  if (!client.isCluster) {
    client.on("connect", () => {
      client.info("persistence").then(
        (text) => {
          if (/^loading:1/mu.test(text)) note(new Error("LOADING"));
        },
        () => {},
      );
    });
  }
  return {
    get last() {
      return last;
    },
    note,
  };
}

function says(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && pattern.test(error.message);
}
