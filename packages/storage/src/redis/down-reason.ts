import type { Cluster, Redis } from "ioredis";

/** Why a connection is not ready, if it is known. */
export interface DownReason {
  /** The last informative error, or `undefined` if the connection is ready. */
  readonly last: unknown;
  note(error: unknown): void;
}

/** Errors of ioredis about its own state. They follow the informative error. */
const uninformative = /Connection is closed\.$|isn't writeable|Reached the max retries per request limit/u;
/**
 * With TLS 1.3 a server that rejects the client's certificate also resets the connection. The alert and the
 * reset arrive in either order.
 */
const isReset = /\b(?:ECONNRESET|EPIPE)\b/u;
const isAlert = /\bSSL alert\b/u;

/**
 * Records the errors of a client. Without a listener, ioredis writes them to standard error.
 * A server that is loading its data accepts connections but does not report it. ioredis waits silently, so
 * this asks the server once for each connection.
 */
export function createDownReason(client: Redis | Cluster): DownReason {
  let last: unknown;

  function note(error: unknown): void {
    if (matches(error, uninformative) || (matches(error, isReset) && matches(last, isAlert))) return;
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

function matches(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && pattern.test(error.message);
}
