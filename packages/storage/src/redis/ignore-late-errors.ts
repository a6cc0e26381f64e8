import type { Cluster, Redis } from "ioredis";
import { isCluster } from "./is-cluster.ts";

/**
 * Ignores further errors of a client's connections. ioredis handles only the first error of a socket. A TLS
 * socket can emit two, an alert and a reset, and an unhandled error would end the process.
 * The connections to Sentinels are private to ioredis and cannot be covered.
 */
export function ignoreLateErrors(client: Redis | Cluster): void {
  if (isCluster(client)) client.on("+node", ignoreNodeErrors);
  // Before `connect` a socket emits at most one error.
  else client.on("connect", () => client.stream.on("error", () => {}));
}

function ignoreNodeErrors(node: Redis): void {
  ignoreLateErrors(node);
  // ioredis requests the slots on a duplicate of the connection.
  const duplicate = node.duplicate.bind(node);
  node.duplicate = (override) => {
    const copy = duplicate(override);
    ignoreLateErrors(copy);
    return copy;
  };
}
