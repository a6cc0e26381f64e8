import type { Cluster, Redis } from "ioredis";
import { isCluster } from "./is-cluster.ts";

/**
 * Listens to the errors of every connection of a client for as long as it lasts. ioredis hears the first alone, and a TLS socket has
 * two of a server that refuses its client's certificate: the alert, and the reset behind it. One that nobody hears ends the process.
 */
export function hearLateErrors(client: Redis | Cluster): void {
  if (isCluster(client)) {
    client.on("+node", (node: Redis) => hearLateErrors(node));
    return;
  }
  // Before that a socket has one error at most.
  client.on("connect", () => client.stream.on("error", () => {}));
}
