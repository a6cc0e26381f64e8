import type * as Pg from "pg";
import type { Pool } from "pg";
import { missingPackage } from "../missing-package.ts";
import { StorageError } from "../storage-error.ts";
import { createLink, type Link } from "./link.ts";
import { createPoolOfHosts } from "./pool-of-hosts.ts";
import { checkSchema, parsePostgresUrl } from "./postgres-url.ts";
import { reserveConnections, type LongUse } from "./reserve-connections.ts";

/**
 * A pool of `pg`. Declared here, because the declarations of this package must compile without `pg`, an optional peer
 * dependency.
 */
export interface PostgresPool {
  /** The number of all connections. */
  readonly totalCount: number;
  connect(): Promise<unknown>;
  end(): Promise<void>;
}

/** The address of PostgreSQL, or a pool of the caller. */
export type PostgresSource = (
  | {
      readonly url: string;
      /** The largest number of connections, at least 3. @default 10 */
      readonly poolSize?: number | undefined;
    }
  | { readonly pool: PostgresPool }
) & {
  /** The schema of the tables. It overrides the parameter of the url. @default "hookwright" */
  readonly schema?: string | undefined;
};

export interface Connection {
  readonly link: Link;
  /** The host, port and database, without credentials. */
  readonly serverAddress: string;
  readonly schema: string;
  /** Closes the pool, unless the caller passed it. */
  release(): Promise<void>;
}

/** The time limit of a statement, and of waiting for a connection. */
export const timeoutMs = 3_000;

const defaultSchema = "hookwright";
const defaultPoolSize = 10;
/** Notifications, the relay of the outbox, and statements. For the pool of a caller, see `reserveConnections`. */
const leastOfPool = 3;
/** Kept open. The first statement after a pause should not wait for a new connection. */
const minConnections = 2;

/**
 * @param longUses what keeps a connection for itself, for a schema. @default nothing
 * @throws {StorageError} `invalid_argument`, `missing_dependency`
 */
export async function connect(
  source: PostgresSource,
  longUses: (schema: string) => readonly LongUse[] = () => [],
): Promise<Connection> {
  const { pool, serverAddress, schema, isOwn } =
    "pool" in source && source.pool !== undefined
      ? usePool(source.pool, source.schema)
      : await openPool(source);
  const endUses = isOwn ? ignore : reserveConnections(pool, longUses(schema));
  // Without a listener, an error of an idle connection ends the process. The pool replaces the connection.
  pool.on("error", ignore);
  return {
    link: createLink({ pool, serverAddress, schema, timeoutMs }),
    serverAddress,
    schema,
    async release() {
      endUses();
      // Connections of our own pool may report errors even after its end.
      if (isOwn) await pool.end();
      else pool.off("error", ignore);
    },
  };
}

function ignore(): void {}

function usePool(pool: PostgresPool, schema = defaultSchema) {
  if (!isPool(pool))
    throw new StorageError("invalid_argument", "pool must be a Pool of pg. Pass one, or a url.");
  checkSchema(schema);
  return { pool, serverAddress: addressOfPool(pool), schema, isOwn: false };
}

async function openPool(source: PostgresSource) {
  const address = parsePostgresUrl("url" in source ? source.url : undefined);
  const schema = source.schema ?? address.schema ?? defaultSchema;
  checkSchema(schema);
  const max = ("poolSize" in source ? source.poolSize : undefined) ?? defaultPoolSize;
  if (!Number.isSafeInteger(max) || max < leastOfPool)
    throw new StorageError(
      "invalid_argument",
      `poolSize must be a whole number of at least ${leastOfPool}, not ${JSON.stringify(max)}: one connection waits for notifications, one relays the outbox.`,
    );
  const pool = createPoolOfHosts(await loadPg(), address, {
    max,
    min: minConnections,
    connectionTimeoutMillis: timeoutMs,
    fallback_application_name: "hookwright",
    keepAlive: true,
  });
  return { pool, serverAddress: address.serverAddress, schema, isOwn: true };
}

function isPool(pool: PostgresPool): pool is Pool {
  return typeof pool.connect === "function" && "query" in pool && "options" in pool && "on" in pool;
}

function addressOfPool({ options }: Pool): string {
  if (options.connectionString !== undefined) {
    const url = URL.parse(options.connectionString);
    if (url !== null && url.hostname !== "") return `${url.hostname}:${url.port || "5432"}${url.pathname}`;
  }
  const { host = "localhost", port = 5432, database } = options;
  return `${host}:${port}${database === undefined ? "" : `/${database}`}`;
}

/** @throws {StorageError} `missing_dependency` */
export async function loadPg(load: () => Promise<typeof Pg> = () => import("pg")): Promise<typeof Pg> {
  try {
    return await load();
  } catch (cause) {
    throw missingPackage({ user: "The PostgreSQL store", name: "pg", major: 8, cause });
  }
}
