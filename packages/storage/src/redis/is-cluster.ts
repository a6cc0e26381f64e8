import type { Cluster, Redis } from "ioredis";

/** Returns whether a client is a Cluster. `instanceof` fails if the caller has another copy of ioredis. */
export function isCluster(client: Redis | Cluster): client is Cluster {
  return client.isCluster;
}
