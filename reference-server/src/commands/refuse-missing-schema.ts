import { hidePassword } from "@hookwright/domain";
import { parsePostgresUrl, readPostgresMigrationSql } from "@hookwright/storage/postgres";
import { ServerError } from "../server-error.ts";

/**
 * Refuses a database without the tables of a storage, because opening it would create them.
 *
 * @throws {ServerError} `storage_unavailable`
 */
export async function refuseMissingSchema(url: string): Promise<void> {
  const { schema = "hookwright" } = parsePostgresUrl(url);
  const refuse = (why: string, cause?: unknown): ServerError =>
    new ServerError("storage_unavailable", `${hidePassword(url)} ${why}`, { cause });
  const sql = await readPostgresMigrationSql({ url }).catch((error: unknown) => {
    throw refuse(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, error);
  });
  if (sql.includes(`create schema if not exists ${schema};`))
    throw refuse(`has no schema ${schema}, so it is not the storage of a server.`);
}
