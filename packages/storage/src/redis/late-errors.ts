import type { Cluster, Redis } from "ioredis";
import { isCluster } from "./is-cluster.ts";

/**
 * Listens to the errors of a client's connections for as long as they last. ioredis hears the first of each alone, and a TLS socket has
 * two of a server that refuses its client's certificate: the alert, and the reset behind it. One that nobody hears ends the process.
 *
 * Out of reach is what ioredis makes inside itself: the connection by which a Cluster's channels are watched, and those to Sentinels.
 */
export function hearLateErrors(client: Redis | Cluster): void {
  if (isCluster(client)) client.on("+node", hearNode);
  // Before that a socket has one error at most.
  else client.on("connect", () => client.stream.on("error", () => {}));
}

function hearNode(node: Redis): void {
  hearLateErrors(node);
  // Which node has which slots is asked on a copy of its connection.
  const duplicate = node.duplicate.bind(node);
  node.duplicate = (override) => {
    const copy = duplicate(override);
    hearLateErrors(copy);
    return copy;
  };
}
