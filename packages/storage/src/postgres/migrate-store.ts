import { connect, type PostgresSource } from "./connect.ts";
import { migrate, partsOfOutbox, partsOfStore } from "./migrate.ts";
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

type Parts = typeof partsOfStore;

async function migrateParts(source: PostgresSource, parts: Parts): Promise<void> {
  const { link, serverAddress, schema, release } = await connect(source);
  try {
    await migrate(link, { parts, schema, serverAddress });
  } finally {
    await release();
  }
}

interface PrintOptions {
  readonly url?: string | undefined;
  readonly schema?: string | undefined;
}

/**
 * Returns the SQL that creates the tables of a store.
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
 * Returns the SQL that creates only the outbox.
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
  const sql = parts.map((part) => part.sql(schema, 0)).join("\n");
  return `begin;\ncreate schema if not exists ${schema};\n${sql}\ncommit;`;
}
