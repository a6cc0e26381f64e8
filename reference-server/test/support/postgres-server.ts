// One way to start a real PostgreSQL for the tests of all packages; it is no part of what any of them publishes.
export {
  connectTo,
  hasPostgresServer,
  startPostgresServer,
} from "../../../packages/storage/test/support/postgres-server.ts";
export type { PostgresServer } from "../../../packages/storage/test/support/postgres-server.ts";
