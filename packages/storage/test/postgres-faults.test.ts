import { randomBytes } from "node:crypto";
import { chown, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import type { Key, Store } from "@hookwright/storage";
import {
  migratePostgresStore,
  openPostgresOutbox,
  openPostgresStore,
  postgresMigrationSql,
} from "@hookwright/storage/postgres";
import { runStatement } from "../src/postgres/statement.ts";
import { timed, untilSucceeds } from "./support/outage.ts";
import { mountSmallFileSystem, whyNoSmallFileSystem } from "./support/small-file-system.ts";
import { hasPostgresServer, startPostgresServer, type PostgresServer } from "./support/postgres-server.ts";
import { startTcpProxy } from "./support/tcp-proxy.ts";

const key: Key = ["p05", "a"];
const set = (store: Store, value: string) =>
  store.commit("p05", { mutations: [{ type: "set", key, value }] });
const add = (store: Store) => store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }] });

/** Three writers that add to one key until they are stopped. Counts the commits that succeeded, and those of unknown outcome. */
function startWriters(store: Store) {
  let isOver = false;
  const writers = { acknowledged: 0, unknown: 0, stop };
  async function write(): Promise<void> {
    while (!isOver)
      try {
        await add(store);
        writers.acknowledged += 1;
      } catch (error) {
        if (!String(error).includes("Nothing was written")) writers.unknown += 1;
        // A server that starts needs the processor.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
  }
  const writing = [write(), write(), write()];
  async function stop(): Promise<void> {
    isOver = true;
    await Promise.all(writing);
  }
  return writers;
}

/** Makes the server a hot standby without a primary, or a primary again, and restarts it. */
async function setStandby(server: PostgresServer, isStandby: boolean): Promise<void> {
  await server.stop("SIGINT");
  const file = join(server.directory, "standby.signal");
  if (isStandby) {
    await writeFile(file, "");
    const { uid, gid } = await stat(server.directory);
    await chown(file, uid, gid);
  } else await rm(file);
  await server.start();
}

/** Begins a transaction that holds the lock of a partition until the result is called. */
async function holdPartition(server: PostgresServer, schema: string, partition: number) {
  const client = new Client(server.url);
  await client.connect();
  await client.query("begin");
  await client.query(`select from ${schema}.partitions where number = $1 for update`, [partition]);
  return () => client.end();
}

describe.runIf(hasPostgresServer)("on one server,", async () => {
  if (!hasPostgresServer) return;
  const server = await startPostgresServer();
  afterAll(() => server[Symbol.asyncDispose]());
  let names = 0;
  const createName = () => `faults_${names++}`;
  const urlOf = (role: string) => server.url.replace("postgres:hookwright@", `${role}:secret@`);

  async function createRole(attributes = ""): Promise<string> {
    const role = createName();
    await server.run(`create role ${role} login password 'secret' ${attributes}`);
    return role;
  }

  describe("opening a store reports that", () => {
    it("the password is wrong, at once and without it", async () => {
      const url = server.url.replace("hookwright@", "not-quite-right@");
      const { error, ms } = await timed(openPostgresStore({ url }));
      expect(error).toMatchObject({ code: "unavailable", reason: "not_authorized" });
      expect(String(error)).not.toContain("not-quite-right");
      expect(ms).toBeLessThan(2_000);
    });

    it("the server is unreachable, with its address", async () => {
      await expect(openPostgresStore({ url: "postgres://127.0.0.1:1/shop" })).rejects.toMatchObject({
        code: "unavailable",
        reason: "unreachable",
        message: expect.stringContaining("PostgreSQL at 127.0.0.1:1/shop is unreachable"),
      });
    });

    it("the server does not support TLS", async () => {
      await expect(openPostgresStore({ url: `${server.url}?sslmode=verify-full` })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("Check sslmode"),
      });
    });

    it("the database does not exist", async () => {
      const url = server.url.replace(/\/postgres$/u, "/shop");
      await expect(openPostgresStore({ url })).rejects.toMatchObject({
        code: "invalid_argument",
        message: expect.stringContaining('database "shop" does not exist'),
      });
    });

    it("the role may not create tables, with the command that does it", async () => {
      const role = await createRole();
      const schema = createName();
      const opening = openPostgresStore({ url: urlOf(role), schema });
      await expect(opening).rejects.toMatchObject({ code: "unavailable", reason: "permission_denied" });
      await expect(opening).rejects.toThrow(
        new RegExp(`The role ${role} .*\`hookwright migrate --storage`, "u"),
      );

      await migratePostgresStore({ url: server.url, schema });
      await server.run(
        `grant usage on schema ${schema} to ${role}; grant all on all tables in schema ${schema} to ${role}`,
      );
      await using store = await openPostgresStore({ url: urlOf(role), schema });
      await set(store, "1");
      expect(await store.get(key)).toBe("1");
    });

    it("a newer program has migrated the schema", async () => {
      const schema = createName();
      await (await openPostgresStore({ url: server.url, schema })).close();
      await server.run(`insert into ${schema}.migrations (version) values (999)`);
      await expect(openPostgresStore({ url: server.url, schema })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/version 999.*Update this program/u),
      });
    });
  });

  it("a store uses the tables that the printed SQL has created", async () => {
    const schema = createName();
    await server.run(postgresMigrationSql({ schema }));
    await using store = await openPostgresStore({ url: server.url, schema });
    await add(store);
    expect(await store.get(key)).toBe("1");
    expect(await server.run(`select version from ${schema}.migrations`)).toEqual([
      { version: 1 },
      { version: 2 },
      { version: 3 },
      { version: 4 },
    ]);
  });

  it("ten stores that open together create the tables once", async () => {
    const schema = createName();
    const stores = await Promise.all(
      Array.from({ length: 10 }, () => openPostgresStore({ url: server.url, schema })),
    );
    await Promise.all(stores.map(add));
    expect(await stores[0]?.get(key)).toBe("10");
    expect(await server.run(`select version from ${schema}.migrations`)).toEqual([
      { version: 1 },
      { version: 2 },
      { version: 3 },
      { version: 4 },
    ]);
    await Promise.all(stores.map((store) => store.close()));
  });

  it("a pool of the caller stays open, and its parsers do not matter", async () => {
    const pool = new Pool({ connectionString: server.url, types: { getTypeParser: () => () => "parsed" } });
    await using store = await openPostgresStore({ pool, schema: createName() });
    await set(store, "1");
    expect(await store.get(key)).toBe("1");
    await store.close();
    expect(pool.ended).toBe(false);
    expect(pool.listenerCount("error")).toBe(0);
    await pool.end();
  });

  it("a pool of two connections is refused, because notifications and the outbox need their own", async () => {
    const pool = new Pool({ connectionString: server.url, max: 2 });
    await expect(openPostgresStore({ pool })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("at least three connections"),
    });
    await pool.end();
  });

  it("a pool that several stores share needs connections for all of them, and tables need one", async () => {
    const schema = createName();
    const small = new Pool({ connectionString: server.url, max: 1 });
    await migratePostgresStore({ pool: small, schema });
    await small.end();

    const pool = new Pool({ connectionString: server.url, max: 4 });
    const store = await openPostgresStore({ pool, schema });
    // It is relayed once, by the store or by the other one.
    await using outbox = await openPostgresOutbox({ pool, schema });
    expect(await outbox.oldestSeconds()).toBe(0);
    const other = { pool, schema: createName() };
    await expect(openPostgresStore(other)).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringMatching(/at least five connections \(max\), because other stores/u),
    });
    await store.close();
    await using opened = await openPostgresStore(other);
    expect(await opened.get(["p00", 1])).toBeUndefined();
    await opened.close();
    await outbox.close();
    await pool.end();
  });

  it("an exhausted pool is reported, and the store works again afterwards", async () => {
    const pool = new Pool({ connectionString: server.url, max: 3 });
    await using store = await openPostgresStore({ pool, schema: createName() });
    const taken = [await pool.connect(), await pool.connect(), await pool.connect()];
    const [read, commit] = await Promise.all([timed(store.get(key)), timed(set(store, "1"))]);
    for (const { error } of [read, commit])
      expect(error).toMatchObject({
        code: "unavailable",
        reason: "too_many_connections",
        message: expect.stringContaining("Nothing was written"),
      });
    for (const client of taken) client.release();
    await set(store, "2");
    expect(await store.get(key)).toBe("2");
    await store.close();
    await pool.end();
  });

  it("a role without a free connection is reported", async () => {
    const role = await createRole("connection limit 0");
    await expect(openPostgresStore({ url: urlOf(role) })).rejects.toMatchObject({
      code: "unavailable",
      reason: "too_many_connections",
    });
  });

  it("a statement_timeout is reported, and nothing was written", async () => {
    const role = await createRole("superuser");
    await server.run(`alter role ${role} set statement_timeout = '200ms'`);
    const schema = createName();
    await using store = await openPostgresStore({ url: urlOf(role), schema });
    const release = await holdPartition(server, schema, 5);
    const { error, ms } = await timed(set(store, "1"));
    expect(error).toMatchObject({
      reason: "no_answer",
      message: expect.stringMatching(/statement timeout.*Nothing was written/u),
    });
    expect(ms).toBeLessThan(1_500);
    await store.commit("p06", { mutations: [] });
    await release();
    expect(await store.get(key)).toBeUndefined();
    await set(store, "2");
    expect(await store.get(key)).toBe("2");
  });

  it("a commit that waits too long for its partition has written nothing. Other partitions go on", async () => {
    const schema = createName();
    await using store = await openPostgresStore({ url: server.url, schema });
    const release = await holdPartition(server, schema, 5);
    const waiting = timed(set(store, "1"));
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await store.commit("p06", { mutations: [] })).toEqual({ ok: true });
    const { error, ms } = await waiting;
    expect(error).toMatchObject({
      reason: "no_answer",
      message: expect.stringMatching(/lock timeout.*Nothing was written/u),
    });
    expect(ms).toBeLessThan(4_000);
    await release();
    expect(await store.get(key)).toBeUndefined();
  });

  it("another default isolation level is refused, because commits would see old rows", async () => {
    const role = await createRole("superuser");
    await server.run(`alter role ${role} set default_transaction_isolation = 'repeatable read'`);
    await using store = await openPostgresStore({ url: urlOf(role), schema: createName() });
    await expect(set(store, "1")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/Nothing was written.*default_transaction_isolation/u),
    });
  });

  it("a right that is taken away is reported, and works again when it is back", async () => {
    const role = await createRole();
    const schema = createName();
    await (await openPostgresStore({ url: server.url, schema })).close();
    await server.run(
      `grant usage on schema ${schema} to ${role}; grant all on all tables in schema ${schema} to ${role}`,
    );
    await using store = await openPostgresStore({ url: urlOf(role), schema });
    await set(store, "1");
    await server.run(`revoke insert on ${schema}.rows from ${role}`);
    await expect(set(store, "2")).rejects.toMatchObject({
      code: "unavailable",
      reason: "permission_denied",
      message: expect.stringContaining("Nothing was written"),
    });
    expect(await store.get(key)).toBe("1");
    await server.run(`grant insert on ${schema}.rows to ${role}`);
    await set(store, "3");
    expect(await store.get(key)).toBe("3");
  });

  it("a server that does not reply is reported in time, and the store works again afterwards", async () => {
    let isHanging = false;
    const forwards = () => !isHanging;
    await using proxy = await startTcpProxy(server.port, { request: forwards, reply: forwards });
    const url = server.url.replace(String(server.port), String(proxy.port));
    await using store = await openPostgresStore({ url, schema: createName() });
    await set(store, "1");
    isHanging = true;
    const results = await Promise.all([
      timed(store.get(key)),
      timed(set(store, "2")),
      timed(store.list({ prefix: ["p05"], limit: 1 })),
    ]);
    for (const { error, ms } of results) {
      expect(error).toMatchObject({ code: "unavailable", reason: "no_answer" });
      expect(ms).toBeLessThan(5_000);
    }
    isHanging = false;
    await untilSucceeds(() => set(store, "3"));
    expect(await store.get(key)).toBe("3");
  });

  it("a reply that arrived in time counts, although the event loop was blocked beyond the time limit", async () => {
    const client = new Client(server.url);
    await client.connect();
    const reply = runStatement(client, "select 'late' from pg_sleep(0.2)", [], 1_000);
    // It is sent before the event loop is blocked.
    await new Promise((resolve) => setTimeout(resolve, 50));
    // Timers are the first thing after an immediate.
    await new Promise((resolve) => setImmediate(resolve));
    const blockedUntil = performance.now() + 1_200;
    while (performance.now() < blockedUntil);
    expect(await reply).toEqual([["late"]]);
    await client.end();
  });

  it("the time-out of a statement is ours, whatever the pool of the caller has", async () => {
    const client = new Client({ connectionString: server.url, query_timeout: 50 });
    await client.connect();
    expect(await runStatement(client, "select 'late' from pg_sleep(0.3)", [], 1_000)).toEqual([["late"]]);
    await expect(runStatement(client, "select pg_sleep(1)", [], 100)).rejects.toThrow("Query read timeout");
    await client.end();
  });

  it("connections that an administrator ends lose no commit and duplicate none", async () => {
    await using store = await openPostgresStore({ url: server.url, schema: createName() });
    const writers = startWriters(store);
    for (let cut = 0; cut < 10; cut++) {
      const before = writers.acknowledged;
      // All writers are at work again.
      await expect.poll(() => writers.acknowledged).toBeGreaterThan(before + 5);
      await server.run(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hookwright'",
      );
    }
    await writers.stop();
    const count = Number(await store.get(key));
    expect(count).toBeGreaterThanOrEqual(writers.acknowledged);
    expect(count).toBeLessThanOrEqual(writers.acknowledged + writers.unknown);
  });
});

describe.runIf(hasPostgresServer)("a server of its own", () => {
  it("may crash under load. No acknowledged commit is lost, none is applied twice, and the store recovers", async () => {
    await using server = await startPostgresServer();
    await using store = await openPostgresStore({ url: server.url });
    const writers = startWriters(store);
    for (let crash = 0; crash < 3; crash++) {
      const before = writers.acknowledged;
      await expect.poll(() => writers.acknowledged).toBeGreaterThan(before + 20);
      await server.stop("SIGQUIT");
      await server.start();
    }
    await writers.stop();
    const count = Number(await untilSucceeds(() => store.get(key)));
    expect(count).toBeGreaterThanOrEqual(writers.acknowledged);
    expect(count).toBeLessThanOrEqual(writers.acknowledged + writers.unknown);
  });

  it("may restart: reads and commits wait for a short time", { tags: ["long"] }, async () => {
    await using server = await startPostgresServer();
    await using store = await openPostgresStore({ url: server.url });
    await set(store, "1");
    await server.stop("SIGINT");
    const waiting = [store.get(key), set(store, "2")];
    await server.start();
    await Promise.all(waiting);
    expect(await store.get(key)).toBe("2");
  });

  it("may have a full disk: commits are refused, reads go on, and it works again with space", async (context) => {
    const reason = await whyNoSmallFileSystem();
    if (reason !== undefined) return context.skip(reason);
    await using server = await startPostgresServer();
    const space = await mountSmallFileSystem(12);
    const { uid, gid } = await stat(server.directory);
    await chown(space, uid, gid);
    await using store = await openPostgresStore({ url: server.url });
    await server.run(`create tablespace small location '${space}'`);
    await server.run("alter table hookwright.rows set tablespace small");
    await set(store, "1");
    const fill = async (): Promise<void> => {
      for (let index = 0; index < 40; index++) {
        const value = randomBytes(400_000).toString("base64");
        await store.commit("p06", { mutations: [{ type: "set", key: ["p06", index], value }] });
      }
    };
    await expect(fill()).rejects.toMatchObject({
      code: "unavailable",
      reason: "disk_full",
      isFull: true,
      message: expect.stringContaining("Nothing was written"),
    });
    expect(await store.get(key)).toBe("1");
    await server.run("alter table hookwright.rows set tablespace pg_default");
    await set(store, "2");
    expect(await store.get(key)).toBe("2");
    return undefined;
  });

  it("may stop for longer: calls fail at once, and closing does not hang", { tags: ["long"] }, async () => {
    await using server = await startPostgresServer();
    const store = await openPostgresStore({ url: server.url });
    store.watch(() => {});
    await server.stop("SIGINT");
    expect((await timed(store.get(key))).error).toMatchObject({ code: "unavailable", reason: "unreachable" });
    const { error, ms } = await timed(set(store, "1"));
    expect(error).toMatchObject({
      reason: "unreachable",
      message: expect.stringContaining("Nothing was written"),
    });
    expect(ms).toBeLessThan(1_000);
    expect((await timed(store.close())).ms).toBeLessThan(2_000);
  });

  it("may become a standby: commits are refused, reads go on, and it works again as a primary", async () => {
    await using server = await startPostgresServer();
    await using store = await openPostgresStore({ url: server.url });
    await set(store, "1");
    await setStandby(server, true);
    await expect(untilNotUnreachable(() => set(store, "2"))).rejects.toMatchObject({
      reason: "read_only_replica",
      message: expect.stringContaining("Nothing was written"),
    });
    expect(await store.get(key)).toBe("1");
    await expect(openPostgresStore({ url: server.url })).rejects.toMatchObject({
      reason: "read_only_replica",
    });
    await setStandby(server, false);
    await untilSucceeds(() => set(store, "3"));
    expect(await store.get(key)).toBe("3");
  });
});

/** Repeats a call while the server restarts. */
async function untilNotUnreachable<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isRestarting =
        error instanceof Error && "reason" in error && /unreachable|loading/u.test(String(error.reason));
      if (!isRestarting) throw error;
    }
  }
}
