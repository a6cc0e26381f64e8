import type { Cluster, Redis } from "ioredis";

/** Tells a Cluster by what ioredis says of itself: the caller's copy of ioredis need not be ours, so `instanceof` will not do. */
export function isCluster(client: Redis | Cluster): client is Cluster {
  return client.isCluster;
}
