import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Outbox, OutboxSession, Store } from "../src/index.ts";
import {
  migratePostgresOutbox,
  openPostgresOutbox,
  openPostgresStore,
  postgresOutboxMigrationSql,
  readPostgresMigrationSql,
  readPostgresOutboxMigrationSql,
} from "../src/postgres.ts";
import { connect } from "../src/postgres/connect.ts";
import { migrate, partsOfOutbox } from "../src/postgres/migrate.ts";
import { connectTo, hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import type { PostgresServer } from "./support/postgres-server.ts";

const all = { after: "0", limit: 100 };

describe.runIf(hasPostgresServer)("the outbox", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer(["-c", "max_prepared_transactions=5"]);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  let schemas = 0;
  const newSchema = (): string => `box_${(schemas += 1)}`;

  async function openStore(schema = newSchema()): Promise<{ store: Store; outbox: Outbox; schema: string }> {
    const store = await openPostgresStore({ url: server.url, schema });
    const { outbox } = store;
    if (outbox === undefined) throw new Error("the store has no outbox");
    return { store, outbox, schema };
  }

  const insert = (schema: string, count: number) =>
    server.run(
      `insert into ${schema}.outbox (event, project_id, data) select 'e' || n, 'site', jsonb_build_object('n', n) from generate_series(1, ${count}) n`,
    );
  const idsIn = async (schema: string): Promise<unknown[]> =>
    (await server.run(`select id::int from ${schema}.outbox o order by o.id`)).map(({ id }) => id);
  const set = (number: number, takes: readonly string[]) => ({
    mutations: [{ type: "set", key: ["p00", number], value: "v" } as const],
    takes,
  });

  async function openSession(
    outbox: Outbox,
    onRows = (): void => {},
    notify?: boolean,
  ): Promise<OutboxSession> {
    const session = await outbox.openSession({ notify, onRows, onLost: () => {} });
    if (session === undefined) throw new Error("another process has the outbox");
    return session;
  }

  it("gives its rows to commits, which delete them", async () => {
    const { store, schema } = await openStore();
    await insert(schema, 3);
    expect(await store.commit("p00", set(1, ["1", "3"]))).toEqual({ ok: true });
    expect(await idsIn(schema)).toEqual([2]);
    expect(await store.get(["p00", 1])).toBe("v");
    await store.close();
  });

  it("a commit whose row is gone writes nothing, and others of the same moment are applied", async () => {
    const { store, schema } = await openStore();
    await insert(schema, 3);
    const settled = await Promise.allSettled([
      store.commit("p00", set(1, ["1"])),
      store.commit("p00", set(2, ["1", "2"])),
      store.commit("p00", set(3, ["7"])),
      store.commit("p00", set(4, [])),
      store.commit("p01", { mutations: [{ type: "set", key: ["p01", 5], value: "v" }], takes: ["3"] }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(settled[1]).toMatchObject({ reason: { code: "already_taken" } });
    expect(await store.getMany([1, 2, 3, 4].map((number) => ["p00", number]))).toEqual([
      "v",
      undefined,
      undefined,
      "v",
    ]);
    expect(await idsIn(schema)).toEqual([2]);
    await store.close();
  });

  it("a commit whose check fails leaves its rows", async () => {
    const { store, schema } = await openStore();
    await insert(schema, 2);
    const failing = { ...set(1, ["1"]), checks: [{ key: ["p00", "absent"], value: "v" } as const] };
    const [failed, done] = await Promise.all([
      store.commit("p00", failing),
      store.commit("p00", set(2, ["2"])),
    ]);
    expect([failed.ok, done.ok]).toEqual([false, true]);
    expect(await idsIn(schema)).toEqual([1]);
    await store.close();
  });

  it("of two processes that take the same rows, each row is taken once", async () => {
    const { store, schema } = await openStore();
    const { store: other } = await openStore(schema);
    await insert(schema, 200);
    const taking = [store, other].flatMap((each, process) =>
      Array.from({ length: 200 }, (_, index) =>
        each
          .commit("p00", {
            mutations: [{ type: "sum", key: ["p00", index], amount: 1 }],
            takes: [String(process === 0 ? index + 1 : 200 - index)],
          })
          .then(
            () => 1,
            () => 0,
          ),
      ),
    );
    const taken = await Promise.all(taking);
    expect(taken.filter((each) => each === 1)).toHaveLength(200);
    expect(await idsIn(schema)).toEqual([]);
    await Promise.all([store.close(), other.close()]);
  });

  it("is relayed by one process at a time, and freed by a lost connection", async () => {
    const { store, outbox, schema } = await openStore();
    const { store: otherStore, outbox: other } = await openStore(schema);
    let isLost = false;
    const listener = { onRows() {}, onLost: () => (isLost = true) };
    expect(await outbox.openSession(listener)).toBeDefined();
    expect(await other.openSession(listener)).toBeUndefined();
    expect(await outbox.openSession(listener)).toBeUndefined();
    await server.run(`select pg_terminate_backend(session) from ${schema}.outbox_relay`);
    await expect.poll(() => isLost).toBe(true);
    (await openSession(other))[Symbol.dispose]();
    await expect.poll(() => outbox.openSession(listener)).toBeDefined();
    await Promise.all([store.close(), otherStore.close()]);
  });

  it.each([
    ["ends within seconds if its machine is gone", true, "5"],
    ["keeps its settings without notifications, because behind PgBouncer they would stay", false, "7200"],
  ])("a session %s", async (_, notify, idleSeconds) => {
    const { store, outbox } = await openStore();
    using used = vi.spyOn(Client.prototype, "query");
    using session = await openSession(outbox, undefined, notify);
    const isLease = ([statement]: readonly unknown[]) => inspect(statement).includes("set owner");
    const client = used.mock.contexts[used.mock.calls.findIndex(isLease)];
    if (!(client instanceof Client)) throw new Error("the session has no client");
    const { rows } = await client.query("show tcp_keepalives_idle");
    expect(rows).toEqual([{ tcp_keepalives_idle: idleSeconds }]);
    session[Symbol.dispose]();
    await store.close();
  });

  it("notifies once for each transaction", async () => {
    const { store, outbox, schema } = await openStore();
    let notified = 0;
    using session = await openSession(outbox, () => (notified += 1));
    await insert(schema, 50);
    await expect.poll(() => notified).toBe(1);
    expect(await session.read(all)).toHaveLength(50);
    expect(notified).toBe(1);
    await store.close();
  });

  it("notifies only while the relay sleeps", async () => {
    const { store, outbox, schema } = await openStore();
    let notified = 0;
    using session = await openSession(outbox, () => (notified += 1));
    await session.read({ ...all, isAwake: true });
    // Its answer comes behind the change.
    await session.read({ ...all, isAwake: true });
    await insert(schema, 1);
    expect(await session.read(all)).toHaveLength(1);
    await insert(schema, 1);
    await expect.poll(() => notified).toBeGreaterThan(0);
    expect(notified).toBe(1);
    await store.close();
  });

  it("reads rows that were not notified, because somebody has the lock of the sleeping relay", async () => {
    const { store, outbox, schema } = await openStore();
    await using other = await connectTo(server.url);
    await other.query("select pg_advisory_lock_shared(hashtext($1), 1002)", [schema]);
    let notified = 0;
    using session = await openSession(outbox, () => (notified += 1));
    await insert(schema, 1);
    expect(await session.read(all)).toHaveLength(1);
    await other.query("select pg_advisory_unlock_all()");
    await session.read(all);
    await insert(schema, 1);
    await expect.poll(() => notified).toBe(1);
    await store.close();
  });

  it("takes rows of a prepared transaction, if its relay is awake, is not to be notified, or is absent", async () => {
    const { store, outbox, schema } = await openStore();
    await using host = await connectTo(server.url);
    const prepare = async (): Promise<void> => {
      await host.query("begin");
      await host.query(`insert into ${schema}.outbox (event, project_id, data) values ('e', 'site', '{}')`);
      await host.query(`prepare transaction '${schema}'`);
      await host.query(`commit prepared '${schema}'`);
    };
    await prepare();
    const silent = await openSession(outbox, () => {}, false);
    await silent.read(all);
    await prepare();
    silent[Symbol.dispose]();
    using session = await untilOpen(() => openSession(outbox));
    await expect(prepare()).rejects.toThrow(/cannot PREPARE a transaction that has executed .*NOTIFY/u);
    await session.read({ ...all, isAwake: true });
    await session.read({ ...all, isAwake: true });
    await prepare();
    expect(await session.read(all)).toHaveLength(3);
    await store.close();
  });

  it("is safe from functions and operators of other schemas, as the whole store", async () => {
    const { store, schema } = await openStore();
    const unsafe = await server.run(
      `select proname from pg_proc where pronamespace = '${schema}'::regnamespace
       and not coalesce(proconfig @> '{"search_path=pg_catalog, pg_temp"}', false)`,
    );
    expect(unsafe).toEqual([]);
    await store.close();
  });

  it("has a key in every table, as the whole store", async () => {
    const { store, schema } = await openStore();
    const withoutKey = await server.run(
      `select relname from pg_class c where relnamespace = '${schema}'::regnamespace and relkind = 'r'
       and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
    );
    expect(withoutKey).toEqual([]);
    await store.close();
  });

  it("reads rows in the order of their ids, page by page", async () => {
    const { store, outbox, schema } = await openStore();
    using session = await openSession(outbox);
    await insert(schema, 12);
    const first = await session.read({ after: "0", limit: 10 });
    expect(first.map(({ id }) => Number(id))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(first[0]).toEqual({ id: "1", event: "e1", projectId: "site", data: '{"n": 1}' });
    expect((await session.read({ after: "10", limit: 10 })).map(({ id }) => id)).toEqual(["11", "12"]);
    expect(await session.read({ after: "12", limit: 10 })).toEqual([]);
    await store.close();
  });

  it("reads large rows a few at a time, and those above the limit without their data", async () => {
    const { store, outbox, schema } = await openStore();
    using session = await openSession(outbox);
    for (const mebibytes of [5, 20, 5, 10, 1])
      await server.run(
        `insert into ${schema}.outbox (event, project_id, data) values ('e', 'site', to_jsonb(repeat('x', ${mebibytes} * 1024 * 1024)))`,
      );
    const sizes: (number | undefined)[][] = [];
    for (let after = "0"; ;) {
      const rows = await session.read({ after, limit: 100 });
      const last = rows.at(-1);
      if (last === undefined) break;
      sizes.push(
        rows.map(({ data }) => data && Math.round(data.length / 2 ** 20)).map((size) => size || undefined),
      );
      after = last.id;
    }
    expect(sizes).toEqual([[5, undefined, 5], [10], [1]]);
    await store.close();
  });

  it("does not decompress many large rows at once", async () => {
    const { store, outbox, schema } = await openStore();
    using session = await openSession(outbox);
    await server.run(
      `insert into ${schema}.outbox (event, project_id, data) select 'e', 'site', to_jsonb(repeat('x', 20 * 1024 * 1024)) from generate_series(1, 8)`,
    );
    const reads: number[] = [];
    for (let after = "0"; ;) {
      const rows = await session.read({ after, limit: 500 });
      const last = rows.at(-1);
      if (last === undefined) break;
      expect(rows.every(({ data }) => data === undefined)).toBe(true);
      reads.push(rows.length);
      after = last.id;
    }
    // Stored, such a row has about 240 KB.
    expect(reads).toEqual([5, 3]);
    await store.close();
  });

  it("reads rows behind one whose text is larger than PostgreSQL can build", { tags: ["long"] }, async () => {
    const { store, outbox, schema } = await openStore();
    using session = await openSession(outbox);
    // A short number may have 131,000 digits. Stored, the row has 3 KB.
    await server.run(
      `insert into ${schema}.outbox (event, project_id, data) select 'e', 'site', jsonb_agg(1e131071) from generate_series(1, 8300)`,
    );
    await insert(schema, 1);
    const rows = await session.read(all);
    if (rows.length === 1) rows.push(...(await session.read({ after: "1", limit: 100 })));
    expect(rows.map(({ data }) => data)).toEqual([undefined, '{"n": 1}']);
    await store.close();
  });

  it("refuses ids that are not of its rows", async () => {
    const { store } = await openStore();
    await expect(store.commit("p00", set(1, ["one"]))).rejects.toMatchObject({ code: "invalid_argument" });
    await store.close();
  });

  it("lists rejected rows, the newest first, and moves each back once, corrected", async () => {
    const { store, outbox, schema } = await openStore();
    const { rejected } = outbox;
    await insert(schema, 4);
    await server.run(
      `update ${schema}.outbox set traceparent = 'trace', created_at = '2026-11-20T09:30:00.25Z' where id = 2;
       update ${schema}.outbox set data = jsonb_build_object('id', 12345678901234567890, 'x', repeat('x', 70000)) where id = 3`,
    );
    const reject = (...ids: readonly string[]) =>
      outbox.reject(ids.map((id) => ({ id, code: "validation_failed", message: `wrong ${id}` })));
    await reject("1", "2", "3");
    const [third, second] = await rejected.list({ limit: 2 });
    expect(second).toMatchObject({
      id: "2",
      key: expect.stringMatching(/^2-\d{16}$/u),
      event: "e2",
      projectId: "site",
      data: '{"n": 2}',
      traceParent: "trace",
      code: "validation_failed",
      message: "wrong 2",
      createdAt: Date.parse("2026-11-20T09:30:00.25Z"),
    });
    expect(Math.abs(Date.now() - (second?.rejectedAt ?? 0))).toBeLessThan(60_000);
    const rest = await rejected.list({ before: second?.key, limit: 2 });
    expect(rest.map(({ id }) => id)).toEqual(["1"]);
    expect(await rejected.count(10)).toBe(3);
    expect(await rejected.count(2)).toBe(2);

    const large = third?.key ?? "";
    expect(third?.data).toBeUndefined();
    expect((await rejected.get(large))?.data).toContain("12345678901234567890");
    const key = second?.key ?? "";
    const ids = await Promise.all([
      rejected.retry(key, { projectId: "site_1", data: '{"n": 20}' }),
      rejected.retry(key, { projectId: "site_2" }),
    ]);
    expect(ids.filter((id) => id !== undefined)).toHaveLength(1);
    const projectId = ids[0] === undefined ? "site_2" : "site_1";
    expect(
      await server.run(
        `select event, project_id, data, traceparent, created_at > now() - interval '1 minute' as is_new from ${schema}.outbox where id > 4`,
      ),
    ).toEqual([
      {
        event: "e2",
        project_id: projectId,
        data: { n: projectId === "site_1" ? 20 : 2 },
        traceparent: "trace",
        is_new: true,
      },
    ]);
    expect(await idsIn(schema)).toEqual([4, 5]);
    expect(await rejected.remove(large)).toBe(true);
    for (const gone of [large, key, "1-1", "1", "99999999999999999999-1", "'; drop table x"]) {
      expect(await rejected.get(gone)).toBeUndefined();
      expect(await rejected.retry(gone, { projectId: "site" })).toBeUndefined();
      expect(await rejected.remove(gone)).toBe(false);
    }

    // An id may come again after a restore. The text of these numbers has a gigabyte, and must not be built.
    await server.run(
      `insert into ${schema}.outbox_rejected (id, event, project_id, data, created_at, code, message, rejected_at)
       select o.id, event, project_id, (select jsonb_agg(1e131071) from generate_series(1, 8300)), created_at, code, message, now() + interval '1 s'
       from ${schema}.outbox_rejected o where o.id = 1`,
    );
    const same = await rejected.list({ limit: 5 });
    expect(same.map(({ id, data }) => [id, data])).toEqual([
      ["1", undefined],
      ["1", '{"n": 1}'],
    ]);
    expect(await rejected.remove(same[0]?.key ?? "")).toBe(true);
    expect(await rejected.list({ limit: 5 })).toMatchObject([{ key: same[1]?.key, data: '{"n": 1}' }]);
    await store.close();
  });

  it("moves rejected rows, and skips those that are gone", async () => {
    const { store, outbox, schema } = await openStore();
    await insert(schema, 2);
    await outbox.reject([
      { id: "2", code: "validation_failed", message: "data: \0 is \ud800 wrong" },
      { id: "9", code: "validation_failed", message: "gone" },
    ]);
    expect(
      await server.run(`select id::int, event, data, code, message from ${schema}.outbox_rejected`),
    ).toEqual([
      {
        id: 2,
        event: "e2",
        data: { n: 2 },
        code: "validation_failed",
        message: "data: \u{fffd} is \u{fffd} wrong",
      },
    ]);
    expect(await idsIn(schema)).toEqual([1]);
    await store.close();
  });

  it("exists without a store, which can join it later", async () => {
    const schema = newSchema();
    await server.run(postgresOutboxMigrationSql({ schema }));
    await migratePostgresOutbox({ url: server.url, schema });
    await using alone = await openPostgresOutbox({ url: server.url, schema });
    const tables = `select tablename from pg_tables where schemaname = '${schema}' order by 1`;
    expect((await server.run(tables)).map(({ tablename }) => tablename)).toEqual([
      "outbox",
      "outbox_migrations",
      "outbox_rejected",
      "outbox_relay",
    ]);
    await insert(schema, 1);
    const { store, outbox } = await openStore(schema);
    expect(outbox.identity).toBe(alone.identity);
    expect((await openPostgresOutbox({ url: server.url, schema: newSchema() })).identity).not.toBe(
      alone.identity,
    );
    await store.commit("p00", set(1, ["1"]));
    expect(await alone.oldestSeconds()).toBe(0);
    await store.close();
  });

  it("rows of the first version are read after the upgrade, and newer ones with their trace and id", async () => {
    const { store: first, schema } = await openStore();
    await first.close();
    await downgrade(schema, 1);
    await insert(schema, 1);
    const { store, outbox } = await openStore(schema);
    const traceParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    await server.run(
      `insert into ${schema}.outbox (event, project_id, data, traceparent, event_id) values ('e', 'site', '{}', '${traceParent}', 'evt_1')`,
    );
    const session = await openSession(outbox);
    const rows = await session.read(all);
    expect(rows.map((row) => row.traceParent)).toEqual([undefined, traceParent]);
    expect(rows.map((row) => row.eventId)).toEqual([undefined, "evt_1"]);
    await outbox.reject([{ id: rows[1]?.id ?? "", code: "c", message: "m" }]);
    expect(await server.run(`select event_id from ${schema}.outbox_rejected`)).toEqual([
      { event_id: "evt_1" },
    ]);
    session[Symbol.dispose]();
    await store.close();
  });

  it("prints only what the database needs, and that needs no right to create schemas", async () => {
    const schema = newSchema();
    const source = { url: server.url, schema };
    expect(await readPostgresMigrationSql(source)).toMatch(/create schema.*create table \w+\.rows/su);
    await migratePostgresOutbox(source);
    expect(await readPostgresOutboxMigrationSql(source)).toBe(`-- The schema ${schema} is up to date.`);
    await downgrade(schema, 2);
    const printed = await readPostgresOutboxMigrationSql(source);
    expect(printed).toContain("add primary key");
    expect(printed).not.toMatch(/create (?:schema|table \w+\.outbox\b)|traceparent/u);
    await server.run(`create role keeper login password 'keeper'; alter schema ${schema} owner to keeper`);
    for (const kind of [
      "table outbox",
      "table outbox_rejected",
      "table outbox_migrations",
      "function notify_outbox",
    ])
      await server.run(`alter ${kind.replace(" ", ` ${schema}.`)} owner to keeper`);
    const ofKeeper = { url: server.url.replace("postgres:hookwright@", "keeper:keeper@"), schema };
    await using keeper = await connectTo(ofKeeper.url);
    await keeper.query(printed);
    expect(await readPostgresOutboxMigrationSql(ofKeeper)).toMatch(/^--.*up to date\.$/u);
    // The tables of the store are missing, the schema is not.
    await keeper.query(await readPostgresMigrationSql(ofKeeper));
    expect(await readPostgresMigrationSql(ofKeeper)).toMatch(/^--.*up to date\.$/u);
  });

  it("changes nothing with `migrate: false`, whatever the role may", async () => {
    const schema = newSchema();
    const source = { url: server.url, schema, migrate: false };
    const pending = { code: "migration_pending", message: expect.stringContaining(`schema ${schema}`) };
    const listTables = () =>
      server.run(`select relname from pg_class where relname = 'rows' and relnamespace =
      coalesce((select oid from pg_namespace where nspname = '${schema}'), 0)`);
    await expect(openPostgresStore(source)).rejects.toMatchObject(pending);
    await expect(openPostgresOutbox(source)).rejects.toMatchObject(pending);
    expect(await server.run(`select 1 from pg_namespace where nspname = '${schema}'`)).toEqual([]);
    await migratePostgresOutbox(source);
    await (await openPostgresOutbox(source)).close();
    await expect(openPostgresStore(source)).rejects.toMatchObject(pending);
    await server.run("create role builder login password 'builder'");
    const ofBuilder = { ...source, url: server.url.replace("postgres:hookwright@", "builder:builder@") };
    await server.run(`grant usage on schema ${schema} to builder`);
    await expect(openPostgresStore(ofBuilder)).rejects.toMatchObject({ reason: "permission_denied" });
    // It owns nothing, but may create tables.
    await server.run(`grant create on schema ${schema} to builder`);
    await expect(openPostgresStore(ofBuilder)).rejects.toMatchObject(pending);
    expect(await listTables()).toEqual([]);
  });

  it("a migration that waits for a transaction of the host does not stop other inserts", async () => {
    const schema = newSchema();
    await migratePostgresOutbox({ url: server.url, schema });
    await downgrade(schema, 2);
    await using host = await connectTo(server.url);
    await host.query("begin");
    await host.query(`insert into ${schema}.outbox (event, project_id, data) values ('e', 'site', '{}')`);
    const migrating = migratePostgresOutbox({ url: server.url, schema });
    const waiting = "select 1 from pg_locks where not granted and locktype = 'relation'";
    await expect.poll(() => server.run(waiting)).toHaveLength(1);
    const start = performance.now();
    await insert(schema, 1);
    expect(performance.now() - start).toBeLessThan(1_500);
    await host.query("commit");
    await migrating;
    expect(await idsIn(schema)).toHaveLength(2);
  });

  it("a migration gives up at last, and names the transaction that it waited for", async () => {
    const schema = newSchema();
    await migratePostgresOutbox({ url: server.url, schema });
    await downgrade(schema, 2);
    await using host = await connectTo(server.url);
    await host.query("begin");
    const { rows } = await host.query<{ pid: number }>(
      `with one as (insert into ${schema}.outbox (event, project_id, data) values ('e', 'site', '{}')) select pg_backend_pid() as pid`,
    );
    const { link, serverAddress, release } = await connect({ url: server.url, schema });
    const target = { parts: partsOfOutbox, schema, serverAddress, lockLimitMs: 100 };
    await expect(migrate(link, target)).rejects.toMatchObject({
      code: "unavailable",
      reason: "no_answer",
      message: expect.stringMatching(
        new RegExp(
          `not migrated, .*\\(process ${rows[0]?.pid} of role postgres\\)\\. Nothing was changed`,
          "u",
        ),
      ),
    });
    await release();
  });

  it("a role with a short lock_timeout waits for the migration of another process", async () => {
    const schema = newSchema();
    await server.run(
      "create role hasty superuser login password 'hasty'; alter role hasty set lock_timeout = '50ms'",
    );
    await using other = await connectTo(server.url);
    await other.query("begin");
    await other.query(`create schema ${schema}`);
    const url = server.url.replace("postgres:hookwright@", "hasty:hasty@");
    const migrating = migratePostgresOutbox({ url, schema });
    const waiting = "select 1 from pg_locks where not granted and locktype = 'transactionid'";
    await expect.poll(() => server.run(waiting)).toHaveLength(1);
    await other.query("select pg_sleep(0.2)");
    await other.query("commit");
    await migrating;
    expect(await readPostgresOutboxMigrationSql({ url, schema })).toContain("up to date");
  });

  it("a role needs only the right to insert", async () => {
    const { store, schema } = await openStore();
    await server.run(
      `create role teller login password 'teller'; grant usage on schema ${schema} to teller; grant insert on ${schema}.outbox to teller; set role teller; insert into ${schema}.outbox (event, project_id, data) values ('e', 'site', '{}')`,
    );
    expect(await idsIn(schema)).toEqual([1]);
    await store.close();
  });

  it("names the role that may not move rows, and what to grant", async () => {
    const { store, schema } = await openStore();
    await insert(schema, 1);
    await server.run(
      `create role relay login password 'relay'; grant usage on schema ${schema} to relay; grant select, delete, update on all tables in schema ${schema} to relay`,
    );
    const url = server.url.replace("postgres:hookwright@", "relay:relay@");
    await using outbox = await openPostgresOutbox({ url, schema });
    await expect(outbox.reject([{ id: "1", code: "c", message: "m" }])).rejects.toMatchObject({
      code: "unavailable",
      reason: "permission_denied",
      message: expect.stringMatching(/The role relay lacks a right.*`grant .*`/u),
    });
    expect(await idsIn(schema)).toEqual([1]);
    await store.close();
  });

  /** Makes the outbox what an earlier version created. */
  async function downgrade(schema: string, version: 1 | 2): Promise<void> {
    await server.run(
      `drop table ${schema}.outbox_relay;
       alter table ${schema}.outbox drop column event_id; alter table ${schema}.outbox_rejected drop column event_id;
       alter table ${schema}.outbox_rejected drop constraint outbox_rejected_pkey;
       create index outbox_rejected_id on ${schema}.outbox_rejected (id);
       drop trigger outbox_notify on ${schema}.outbox;
       create trigger outbox_notify after insert on ${schema}.outbox
         for each statement execute function ${schema}.notify_outbox();
       delete from ${schema}.outbox_migrations where version > ${version}`,
    );
    if (version === 1)
      await server.run(
        `alter table ${schema}.outbox drop column traceparent; alter table ${schema}.outbox_rejected drop column traceparent`,
      );
  }
});

/** The server frees the lock of a closed connection a moment later. */
async function untilOpen(open: () => Promise<OutboxSession>): Promise<OutboxSession> {
  for (;;) {
    try {
      return await open();
    } catch {
      await pause(20);
    }
  }
}
