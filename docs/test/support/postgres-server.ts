// One way to start a real PostgreSQL for the tests of all packages; it is no part of what any of them publishes.
export {
  hasPostgresServer,
  startPostgresServer,
} from "../../../packages/storage/test/support/postgres-server.ts";
