import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Key } from "../src/index.ts";
import { migratePostgresStore, openPostgresStore } from "../src/postgres.ts";
import { connectTo, hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import type { PostgresServer } from "./support/postgres-server.ts";

const key: Key = ["p05", "count"];
const sum = { mutations: [{ type: "sum", key, amount: 1 }] } as const;

describe.runIf(hasPostgresServer)("an upgrade from version 3 of the store", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Creates a schema whose version seems to be 3, applied a while ago. */
  async function createOlder(schema: string): Promise<void> {
    await migratePostgresStore({ url: server.url, schema });
    await server.run(
      `drop table ${schema}.partitions, ${schema}.outbox_relay;
       delete from ${schema}.migrations where version = 4;
       alter table ${schema}.outbox drop column event_id; alter table ${schema}.outbox_rejected drop column event_id;
       delete from ${schema}.outbox_migrations where version >= 4;
       update ${schema}.migrations set applied_at = now() - interval '1 day'`,
    );
  }

  it("makes commits wait for those that began before it, for a while", async () => {
    const schema = "overlap";
    await createOlder(schema);
    await using older = await connectTo(server.url);
    await older.query("begin");
    await older.query("select pg_advisory_xact_lock(hashtext($1), 5)", [schema]);
    await using store = await openPostgresStore({ url: server.url, schema });
    const committing = store.commit("p05", sum);
    const waiting = "select 1 from pg_locks where not granted and locktype = 'advisory'";
    await expect.poll(() => server.run(waiting)).toHaveLength(1);
    await older.query("commit");
    expect(await committing).toEqual({ ok: true });
    await server.run(`update ${schema}.partitions set advisory_until = now()`);
    await older.query("begin");
    await older.query("select pg_advisory_xact_lock(hashtext($1), 5)", [schema]);
    expect(await store.commit("p05", sum)).toEqual({ ok: true });
    await older.query("commit");
  });

  it("keeps a role working that does not own the tables", async () => {
    const schema = "rights";
    await createOlder(schema);
    await server.run(
      `create role clerk login password 'clerk'; create role teller; grant usage on schema ${schema} to clerk, teller;
       grant select, insert, update, delete on all tables in schema ${schema} to clerk; grant insert on ${schema}.outbox to teller`,
    );
    await migratePostgresStore({ url: server.url, schema });
    const url = server.url.replace("postgres:hookwright@", "clerk:clerk@");
    await using store = await openPostgresStore({ url, schema });
    expect(await store.commit("p05", sum)).toEqual({ ok: true });
    const session = await store.outbox?.openSession({ onRows() {}, onLost() {} });
    expect(session).toBeDefined();
    session?.[Symbol.dispose]();
    const rights = `select has_table_privilege('teller', '${schema}.outbox_relay', 'update') as relay, has_table_privilege('teller', '${schema}.partitions', 'update') as partitions`;
    expect(await server.run(rights)).toEqual([{ relay: false, partitions: false }]);
  });
});
