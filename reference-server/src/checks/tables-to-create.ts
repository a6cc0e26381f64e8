import { parsePostgresUrl } from "@hookwright/storage/postgres";
import { openPostgresClient } from "../open-postgres-client.ts";

const timeoutMs = 2_000;

/**
 * Whether opening the database would create or migrate tables. False also if its role may not, or if it cannot be read: opening
 * it then says why, and changes nothing.
 */
export async function wouldChangeTables(url: string, readSql: () => Promise<string>): Promise<boolean> {
  if (!(await mayChangeTables(url).catch(() => false))) return false;
  const sql = await readSql().catch(() => "");
  return /^begin;$/mu.test(sql);
}

async function mayChangeTables(url: string): Promise<boolean> {
  const { schema = "hookwright" } = parsePostgresUrl(url);
  const client = await openPostgresClient(url, { timeoutMs, name: "hookwright doctor" });
  try {
    const { rows } = await client.query<{ may: boolean }>(
      `select coalesce(
        (select pg_catalog.pg_has_role(nspowner, 'USAGE') from pg_catalog.pg_namespace where nspname = $1),
        pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
      ) as may`,
      [schema],
    );
    return rows[0]?.may === true;
  } finally {
    await client.end().catch(() => {});
  }
}
