// One way to start a real Redis for the tests of all packages; it is no part of what any of them publishes.
export {
  callsOf,
  hasRedisServer,
  startRedisServer,
} from "../../../packages/storage/test/support/redis-server.ts";
export type { RedisServer } from "../../../packages/storage/test/support/redis-server.ts";
export { startRedisCluster } from "../../../packages/storage/test/support/redis-cluster.ts";
