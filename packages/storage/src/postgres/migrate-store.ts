import { connect, type Connection, type PostgresSource } from "./connect.ts";
import { migrate, partsOfOutbox, partsOfStore, readMigrationSql, toMigrationSql } from "./migrate.ts";
import { checkSchema, parsePostgresUrl } from "./postgres-url.ts";

/**
 * Creates or migrates the tables of a store, as `openPostgresStore` does. For a role that may create them, if the role of the
 * program may not.
 *
 * @throws {StorageError} `missing_dependency`, `invalid_argument`, `unavailable`
 * @example
 * await migratePostgresStore({ url: "postgres://owner:secret@127.0.0.1:5432/shop" });
 */
export function migratePostgresStore(source: PostgresSource): Promise<void> {
  return migrateParts(source, partsOfStore);
}

/**
 * Creates or migrates only the outbox, as `openPostgresOutbox` does.
 *
 * @throws {StorageError} `missing_dependency`, `invalid_argument`, `unavailable`
 * @example
 * await migratePostgresOutbox({ url: "postgres://owner:secret@127.0.0.1:5432/shop" });
 */
export function migratePostgresOutbox(source: PostgresSource): Promise<void> {
  return migrateParts(source, partsOfOutbox);
}

/**
 * Returns the SQL that {@link migratePostgresStore} would run now, and changes nothing. If the tables are up to date, it is a
 * comment.
 *
 * @throws {StorageError} `missing_dependency`, `invalid_argument`, `unavailable`
 * @example
 * console.log(await readPostgresMigrationSql({ url: "postgres://owner:secret@127.0.0.1:5432/shop" }));
 */
export function readPostgresMigrationSql(source: PostgresSource): Promise<string> {
  return readSql(source, partsOfStore);
}

/**
 * Returns the SQL that {@link migratePostgresOutbox} would run now, and changes nothing. If the tables are up to date, it is a
 * comment.
 *
 * @throws {StorageError} `missing_dependency`, `invalid_argument`, `unavailable`
 * @example
 * console.log(await readPostgresOutboxMigrationSql({ url: "postgres://owner:secret@127.0.0.1:5432/shop" }));
 */
export function readPostgresOutboxMigrationSql(source: PostgresSource): Promise<string> {
  return readSql(source, partsOfOutbox);
}

type Parts = typeof partsOfStore;

function migrateParts(source: PostgresSource, parts: Parts): Promise<void> {
  return withConnection(source, ({ link, schema, serverAddress }) =>
    migrate(link, { parts, schema, serverAddress }),
  );
}

function readSql(source: PostgresSource, parts: Parts): Promise<string> {
  return withConnection(source, ({ link, schema, serverAddress }) =>
    readMigrationSql(link, { parts, schema, serverAddress }),
  );
}

async function withConnection<Result>(
  source: PostgresSource,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(source);
  try {
    return await use(connection);
  } finally {
    await connection.release();
  }
}

interface PrintOptions {
  readonly url?: string | undefined;
  readonly schema?: string | undefined;
}

/**
 * Returns the SQL that creates the tables of a store in a database without them.
 *
 * @param options.url the schema is read from it. It connects to nothing
 * @throws {StorageError} `invalid_argument`
 * @example
 * console.log(postgresMigrationSql({ schema: "hooks" }));
 */
export function postgresMigrationSql(options: PrintOptions = {}): string {
  return printParts(options, partsOfStore);
}

/**
 * Returns the SQL that creates only the outbox in a database without it.
 *
 * @param options.url the schema is read from it. It connects to nothing
 * @throws {StorageError} `invalid_argument`
 * @example
 * console.log(postgresOutboxMigrationSql({ schema: "hooks" }));
 */
export function postgresOutboxMigrationSql(options: PrintOptions = {}): string {
  return printParts(options, partsOfOutbox);
}

function printParts(options: PrintOptions, parts: Parts): string {
  const { url } = options;
  const ofUrl = url === undefined ? undefined : parsePostgresUrl(url).schema;
  const schema = options.schema ?? ofUrl ?? "hookwright";
  checkSchema(schema);
  return toMigrationSql(schema, {
    versions: new Map(parts.map((part) => [part, 0])),
    hasSchema: false,
  });
}
