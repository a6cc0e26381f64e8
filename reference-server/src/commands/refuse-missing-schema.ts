import { parsePostgresUrl } from "@hookwright/storage/postgres";
import type { Client } from "pg";
import { describeError } from "../checks/check.ts";
import { openPostgresClient } from "../open-postgres-client.ts";
import { ServerError } from "../server-error.ts";
import { hidePassword } from "@hookwright/cli";

const timeoutMs = 5_000;

/**
 * Refuses a database without the tables of a storage, because opening it would create them.
 *
 * @throws {ServerError} `storage_unavailable`
 */
export async function refuseMissingSchema(url: string): Promise<void> {
  const { schema = "hookwright" } = parsePostgresUrl(url);
  let client: Client | undefined;
  const refuse = (why: string, cause?: unknown): ServerError =>
    new ServerError("storage_unavailable", `${hidePassword(url)} ${why}.`, { cause });
  try {
    client = await openPostgresClient(url, { timeoutMs, name: "hookwright" });
    const { rows } = await client.query<{ found: boolean }>(
      "select pg_catalog.to_regnamespace($1::text) is not null as found",
      [schema],
    );
    if (rows[0]?.found !== true)
      throw refuse(`has no schema ${schema}, so it is not the storage of a server`);
  } catch (error) {
    if (error instanceof ServerError) throw error;
    throw refuse(`cannot be read: ${describeError(error)}`, error);
  } finally {
    await client?.end().catch(() => {});
  }
}
