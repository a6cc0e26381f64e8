import { hasPostgresServer, startPostgresServer } from "../../test/support/postgres-server.ts";

export interface BenchPostgres extends AsyncDisposable {
  readonly url: string;
}

/** The PostgreSQL of `DATABASE_URL`, or a new one on a free port that flushes each commit to the disk. */
export async function openPostgres(): Promise<BenchPostgres> {
  const given = process.env["DATABASE_URL"];
  if (given !== undefined) return { url: given, [Symbol.asyncDispose]: async () => {} };
  if (!hasPostgresServer)
    throw new Error(
      "This bench needs the server programs of PostgreSQL (apt-get install postgresql), or DATABASE_URL.",
    );
  return await startPostgresServer(["-c", "fsync=on"]);
}
