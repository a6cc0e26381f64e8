import { Client } from "pg";
import { afterAll, describe } from "vitest";
import { runStoreContract } from "@hookwright/storage/contract";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";

const prefix = `contract_${process.pid}`;

function runContract(url: string): Promise<void> {
  let opened = 0;
  return runStoreContract(({ now }) =>
    openPostgresStore({ url, now, schema: `${prefix}_${opened++}`, sweepIntervalMs: 50 }),
  );
}

const given = process.env["DATABASE_URL"];
describe.runIf(given !== undefined)("on the server of DATABASE_URL", async () => {
  if (given === undefined) return;
  // Others may use the database, so only the schemas of this process are dropped.
  afterAll(async () => {
    const client = new Client(given);
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      "select nspname as name from pg_namespace where starts_with(nspname, $1)",
      [`${prefix}_`],
    );
    for (const { name } of rows) await client.query(`drop schema ${name} cascade`);
    await client.end();
  });
  await runContract(given);
});

describe.runIf(given === undefined && hasPostgresServer)("on one server", async () => {
  // The body of a skipped suite runs too.
  if (given !== undefined || !hasPostgresServer) return;
  const server = await startPostgresServer();
  afterAll(() => server[Symbol.asyncDispose]());
  await runContract(server.url);
});
