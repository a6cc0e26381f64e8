import { openPostgresClient } from "../open-postgres-client.ts";
import { toClockAhead } from "./storage-facts.ts";
import type { StorageFacts } from "./storage-facts.ts";

const oldestMajor = 14;

const question = `select pg_catalog.current_setting('server_version') as version,
  pg_catalog.current_setting('server_version_num')::int / 10000 as major,
  pg_catalog.current_setting('fsync') as fsync,
  pg_catalog.current_setting('full_page_writes') as full_page_writes,
  pg_catalog.current_setting('synchronous_commit') as synchronous_commit,
  extract(epoch from pg_catalog.clock_timestamp())::float8 * 1000::float8 as now`;

export async function readPostgresFacts(
  url: string,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<StorageFacts> {
  const client = await openPostgresClient(url, { timeoutMs, name: "hookwright doctor" });
  try {
    const before = Date.now();
    const { rows } = await client.query<Record<string, unknown>>(question);
    const [row = {}] = rows;
    const { fsync, full_page_writes: pages, synchronous_commit: commit } = row;
    const isOff = (setting: unknown): boolean => setting === "off";
    return {
      version: `PostgreSQL ${String(row["version"])}`,
      tooOld: Number(row["major"]) < oldestMajor ? `PostgreSQL ${oldestMajor} or newer` : undefined,
      unsafe: [
        { name: "fsync", value: fsync, loses: "a power failure may destroy the database" },
        { name: "full_page_writes", value: pages, loses: "a power failure may destroy pages" },
        { name: "synchronous_commit", value: commit, loses: "a crash may lose the last commits" },
      ]
        .filter(({ value }) => isOff(value))
        .map(({ name, loses }) => ({ setting: `${name} is off, so ${loses}`, fix: `Set ${name} to on.` })),
      safe: `fsync ${String(fsync)}, full_page_writes ${String(pages)}, synchronous_commit ${String(commit)}`,
      clockAheadMs: toClockAhead(before, Number(row["now"]), Date.now()),
      freeBytes: undefined,
    };
  } finally {
    await client.end().catch(() => {});
  }
}
