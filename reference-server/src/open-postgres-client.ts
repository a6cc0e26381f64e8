import { parsePostgresUrl } from "@hookwright/storage/postgres";
import type { Client } from "pg";

/** Connects to PostgreSQL: of several hosts, to the first one that is not a standby. The caller ends the client. */
export async function openPostgresClient(
  url: string,
  { timeoutMs, name }: { readonly timeoutMs: number; readonly name: string },
): Promise<Client> {
  const pg = await import("pg");
  const { connectionStrings, needsWritable } = parsePostgresUrl(url);
  const errors: unknown[] = [];
  for (const connectionString of connectionStrings) {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: timeoutMs / connectionStrings.length,
      query_timeout: timeoutMs,
      application_name: name,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ is_standby: boolean }>(
        "select pg_catalog.pg_is_in_recovery() as is_standby",
      );
      if (!needsWritable || rows[0]?.is_standby !== true) return client;
      throw new Error("it is a read-only standby");
    } catch (error) {
      errors.push(error);
      await client.end().catch(() => {});
    }
  }
  throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}
