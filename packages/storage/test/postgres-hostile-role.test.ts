import { inspect } from "node:util";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Key } from "../src/index.ts";
import {
  migratePostgresStore,
  openPostgresStore,
  readPostgresMigrationSql,
  readPostgresOutboxState,
} from "../src/postgres.ts";
import { connectTo, hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import type { PostgresServer } from "./support/postgres-server.ts";

const key: Key = ["p05", "count"];
/** Of our columns and parameters. */
const types =
  "text,name,oid,int,bigint,float8,numeric,boolean,bytea,uuid,jsonb,timestamptz,interval,text[],bigint[]";
const operators = "=,<>,<,>,<=,>=,+,-,*,/,%,||,~~,~,#>,->,@>";

/** Uses everything that sends statements. Returns the names of all functions in them. */
async function useEverything(url: string, schema: string): Promise<ReadonlySet<string>> {
  using spy = vi.spyOn(Client.prototype, "query");
  const source = { url, schema };
  await migratePostgresStore(source);
  await readPostgresMigrationSql(source);
  await using store = await openPostgresStore({ ...source, sweepIntervalMs: 1 });
  const { outbox } = store;
  if (outbox === undefined) throw new Error("the store has no outbox");
  await new Promise<void>((resolve) => void store.watch(() => resolve()));
  await store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }], notify: [key] });
  await store.get(key);
  await store.list({ prefix: ["p05"], limit: 5 });
  await store.list({ prefix: ["p05"], limit: 5, groupBy: 1 });
  await using client = await connectTo(url);
  const insert = `insert into ${schema}.outbox (event, project_id, data) values ('e', 'site', '{}')`;
  for (let count = 0; count < 3; count++) await client.query(insert);
  const session = await outbox.openSession({ onRows() {}, onLost() {} });
  for (const isAwake of [false, true, false]) await session?.read({ after: "0", limit: 10, isAwake });
  await outbox.readState();
  await readPostgresOutboxState(source);
  await outbox.oldestSeconds();
  await store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }], takes: ["1"] });
  await outbox.reject([{ id: "2", code: "c", message: "m" }]);
  await outbox.remove(["3"]);
  await outbox.removeOfProjects(["site"]);
  expect(await outbox.readOver(client, key)).toEqual({ value: "2" });
  session?.[Symbol.dispose]();
  const texts = spy.mock.calls.map(([statement]: readonly unknown[]) =>
    inspect(statement, { maxStringLength: null }),
  );
  return new Set(texts.flatMap((text) => Array.from(text.matchAll(/(\w+)\s*\(/gu), ([, name = ""]) => name)));
}

describe.runIf(hasPostgresServer)("another role of the database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
    // The default of PostgreSQL 14.
    await server.run("create role mallory login password 'mallory'; grant create on schema public to public");
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const asMallory = () => connectTo(server.url.replace("postgres:hookwright@", "mallory:mallory@"));

  it("runs no code as the role of the store, whatever it creates in a schema of the search path", async () => {
    const names = await useEverything(server.url, "before");
    expect(names).toContain("clock_timestamp");
    await using mallory = await asMallory();
    await mallory.query(`
      create table public.caught (what text);
      grant insert on public.caught to public;
      create table public.pg_class (oid oid, relname name, relnamespace oid);
      create table public.rows (key bytea, value bytea, expires_at float8);
      create table public.outbox (id bigint);
      create function public.catch_it(what text) returns void language sql as
        $$ insert into public.caught select what where current_user <> 'mallory' $$;`);
    await mallory.query("set search_path = pg_catalog");
    await mallory.query(createShadows([...names]));
    // Without the schemas of PostgreSQL's own, she is called.
    await server.run("select 2::numeric * 3::bigint, clock_timestamp('now'::timestamptz)");
    const caught =
      "with one as (delete from public.caught returning what) select distinct what from one order by 1";
    expect((await mallory.query(caught)).rows).toEqual([
      { what: "clock_timestamp" },
      { what: "numeric ? bigint" },
    ]);
    await useEverything(server.url, "after");
    expect((await mallory.query(caught)).rows).toEqual([]);
  });

  it("cannot stop the store with the advisory locks that anybody may take", async () => {
    await migratePostgresStore({ url: server.url, schema: "locked" });
    await using mallory = await asMallory();
    await mallory.query("select pg_advisory_lock(hashtext('locked'), n) from generate_series(0, 63) n");
    await mallory.query("select pg_advisory_lock(hashtext('locked'), n) from generate_series(1000, 1001) n");
    await using store = await openPostgresStore({ url: server.url, schema: "locked" });
    expect(await store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }] })).toEqual({ ok: true });
    const session = await store.outbox?.openSession({ onRows() {}, onLost() {} });
    expect(session).toBeDefined();
    session?.[Symbol.dispose]();
  });

  it.each([
    [
      "may create objects in the schema",
      "create schema SCHEMA; grant create on schema SCHEMA to public",
      "revoke create",
    ],
    [
      "may create objects by name",
      "create schema SCHEMA; grant create on schema SCHEMA to mallory",
      "revoke create",
    ],
    [
      "owns a function with one of our names",
      "create schema SCHEMA; create function SCHEMA.read_rows(int) returns int language sql as 'select 1'; alter function SCHEMA.read_rows owner to mallory",
      "function read_rows belongs to the role mallory",
    ],
    [
      "owns a table with one of our names",
      "create schema SCHEMA; create table SCHEMA.migrations (version int); alter table SCHEMA.migrations owner to mallory",
      "table migrations belongs to the role mallory",
    ],
  ])("that %s makes the store refuse it in words", async (name, sql, message) => {
    const schema = name.replaceAll(" ", "_").slice(0, 40);
    await server.run(sql.replaceAll("SCHEMA", schema));
    const source = { url: server.url, schema };
    for (const use of [openPostgresStore, migratePostgresStore, readPostgresMigrationSql])
      await expect(use(source)).rejects.toMatchObject({
        code: "unavailable",
        reason: "permission_denied",
        message: expect.stringContaining(message),
      });
    expect(
      await server.run(`select 1 from pg_tables where schemaname = '${schema}' and tablename = 'rows'`),
    ).toEqual([]);
  });

  it("an own role that has created a table keeps its rows: the message names the statement that helps", async () => {
    const schema = "former";
    await using store = await openPostgresStore({ url: server.url, schema });
    await store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }] });
    await server.run(`create role former; alter table ${schema}.rows owner to former`);
    const error: unknown = await migratePostgresStore({ url: server.url, schema }).catch(
      (thrown: unknown) => thrown,
    );
    const [, statement = ""] = /run: (alter table .*?)\. If not/u.exec(String(error)) ?? [];
    await server.run(statement);
    await using opened = await openPostgresStore({ url: server.url, schema });
    expect(await opened.get(key)).toBe("1");
  });

  it("an own role that creates the tables may also own the schema: the message names the statement that helps", async () => {
    const schema = "split";
    await server.run(
      `create role keeper login password 'keeper'; create role runner login password 'runner'; create schema ${schema} authorization keeper`,
    );
    const as = (role: string) => server.url.replace("postgres:hookwright@", `${role}:${role}@`);
    await migratePostgresStore({ url: as("keeper"), schema });
    await server.run(
      `grant all on schema ${schema} to runner; grant all on all tables in schema ${schema} to runner`,
    );
    const url = as("runner");
    const error: unknown = await openPostgresStore({ url, schema }).catch((thrown: unknown) => thrown);
    const [, statement = ""] = /run: (revoke .*?)\. If/u.exec(String(error)) ?? [];
    await server.run(statement);
    await using store = await openPostgresStore({ url, schema });
    expect(await store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }] })).toEqual({ ok: true });
  });

  it("that owns the schema makes a role refuse to install there", async () => {
    await server.run(
      "create schema trap authorization mallory; create role tenant login password 'tenant'; grant all on schema trap to tenant",
    );
    const url = server.url.replace("postgres:hookwright@", "tenant:tenant@");
    await expect(openPostgresStore({ url, schema: "trap" })).rejects.toMatchObject({
      message: expect.stringContaining("its owner is the role mallory"),
    });
  });
});

/** Creates functions and operators that match the types of a call better than PostgreSQL's own, which often need a conversion. */
function createShadows(names: readonly string[]): string {
  return `do $do$
    declare
      one text; other text; op text; name text; at int := 0;
      body constant text := 'language plpgsql as $f$ begin perform public.catch_it(%L); return null; end $f$';
    begin
      foreach one in array string_to_array('${types}', ',') loop
        foreach name in array string_to_array('${names.join(",")}', ',') loop
          begin
            execute format('create function public.%I(%s) returns text ' || body, name, one, name);
          exception when others then null; end;
        end loop;
        foreach other in array string_to_array('${types}', ',') loop
          at := at + 1;
          execute format('create function public.truth_%s(%s, %s) returns boolean ' || body, at, one, other, one || ' ? ' || other);
          execute format('create function public.value_%s(%s, %s) returns %s ' || body, at, one, other, one, one || ' ? ' || other);
          foreach op in array string_to_array('${operators}', ',') loop
            begin
              execute format('create operator public.%s (leftarg = %s, rightarg = %s, function = public.%s_%s)', op, one, other,
                case when op in ('+', '-', '*', '/', '%', '||', '#>', '->') then 'value' else 'truth' end, at);
            exception when others then null; end;
          end loop;
          continue when one not in ('text', 'name', 'oid', 'int', 'bigint') or other not in ('text', 'name', 'oid', 'int', 'bigint');
          foreach name in array string_to_array('${names.join(",")}', ',') loop
            begin
              execute format('create function public.%I(%s, %s) returns text ' || body, name, one, other, name);
            exception when others then null; end;
          end loop;
        end loop;
      end loop;
      execute format('create function public.concat_ws(text, uuid, name, timestamptz) returns text ' || body, 'concat_ws');
    end $do$`;
}
