import { connect, type PostgresSource } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { checkSchema, parsePostgresUrl } from "./postgres-url.ts";
import { migrationSql } from "./schema.ts";

/**
 * Creates or migrates the tables of a store, as `openPostgresStore` does. For a role that may create them, if the role of the
 * program may not.
 *
 * @throws {StorageError} `missing_dependency`, `invalid_argument`, `unavailable`
 * @example
 * await migratePostgresStore({ url: "postgres://owner:secret@127.0.0.1:5432/shop" });
 */
export async function migratePostgresStore(source: PostgresSource): Promise<void> {
  const { link, serverAddress, schema, release } = await connect(source);
  try {
    await migrate(link, { schema, serverAddress });
  } finally {
    await release();
  }
}

/**
 * Returns the SQL that creates the tables of a store.
 *
 * @param options.url the schema is read from it. It connects to nothing
 * @throws {StorageError} `invalid_argument`
 * @example
 * console.log(postgresMigrationSql({ schema: "hooks" }));
 */
export function postgresMigrationSql(
  options: { readonly url?: string | undefined; readonly schema?: string | undefined } = {},
): string {
  const { url } = options;
  const ofUrl = url === undefined ? undefined : parsePostgresUrl(url).schema;
  const schema = options.schema ?? ofUrl ?? "hookwright";
  checkSchema(schema);
  return `begin;\ncreate schema if not exists ${schema};\n${migrationSql(schema, 0)}\ncommit;`;
}
