import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import {
  ask,
  createTenants,
  environmentOn,
  isReady,
  publishOrders,
  startOn,
  until,
} from "./support/fleet.ts";
import { hasPostgresServer, startPostgresServer, type PostgresServer } from "./support/postgres-server.ts";
import { runCommand } from "./support/run-command.ts";

describe.runIf(hasPostgresServer)("servers on one PostgreSQL", () => {
  const long = { tags: ["long"], timeout: 60_000 };
  // As on Redis.
  it("deliver each other's events once, without waiting for the poll", long, async () => {
    await using postgres = await startPostgresServer();
    await using receiver = await startCountingReceiver();
    await using api = await startOn(postgres.url, "api");
    await using other = await startOn(postgres.url, "api");
    await using worker = await startOn(postgres.url, "worker");
    await createTenants(api, 4, receiver.url);
    await publishOrders([api, other], { last: 400, sites: 4 });
    await receiver.received(400);
    const waits: number[] = [];
    for (let round = 0; round < 9; round++) {
      const start = performance.now();
      await publishOrders([api], { first: 400 + round, last: 401 + round, sites: 4 });
      await receiver.received(401 + round);
      waits.push(performance.now() - start);
    }
    // Each event after the first is published just after a poll, which runs once a second.
    expect(waits.toSorted((one, next) => one - next)[2]).toBeLessThan(500);
    expect(receiver.duplicates).toBe(0);
    for (const server of [api, other, worker]) expect((await server.stop()).code).toBe(0);
  });

  it.each([
    [
      "PostgreSQL",
      "--storage (or HOOKWRIGHT_STORAGE)",
      { HOOKWRIGHT_STORAGE: "postgres://app:hunter2hunter2@127.0.0.1:1/shop" },
    ],
    [
      "outbox",
      "with the outbox postgres:",
      {
        HOOKWRIGHT_STORAGE: "memory",
        HOOKWRIGHT_OUTBOX: "postgres://app:hunter2hunter2@127.0.0.1:1/shop",
      },
    ],
    [
      "Redis",
      "--storage (or HOOKWRIGHT_STORAGE)",
      { HOOKWRIGHT_STORAGE: "redis://:hunter2hunter2@127.0.0.1:1" },
    ],
  ])("say which %s is unreachable, without the password", async (_, place, unreachable) => {
    const { code, complained } = await runCommand(["serve"], { ...environmentOn("memory"), ...unreachable });
    expect([code, complained]).toEqual([1, expect.stringContaining(place)]);
    expect(complained).toMatch(/127\.0\.0\.1:1\S* is unreachable/u);
    expect(complained).not.toContain("hunter2");
  });
});

describe.runIf(hasPostgresServer)("hookwright migrate", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgresServer();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  it("creates the tables, and prints the SQL without changing anything", async () => {
    const migrate = async (...args: readonly string[]) => {
      const environment = { HOOKWRIGHT_STORAGE: `${postgres.url}?schema=hooks` };
      return runCommand(["migrate", ...args], environment);
    };
    const schemas = () => postgres.run("select nspname from pg_namespace where nspname = 'hooks'");
    const printed = await migrate("--print");
    expect(printed).toMatchObject({ code: 0, printed: expect.stringContaining("create table hooks.rows") });
    expect(await schemas()).toEqual([]);
    const done = await migrate();
    expect(done.code).toBe(0);
    expect(done.complained).toMatch(/^(?!.*hookwright@).*are up to date/su);
    expect(await schemas()).toHaveLength(1);
    const nothing = await migrate("--print");
    expect(nothing.printed).toMatch(
      /^-- postgres:\/\/(?!.*hookwright@).*\n-- The schema hooks is up to date\.$/u,
    );
  });

  it("prints the SQL of an outbox in its storage once", async () => {
    const environment = {
      HOOKWRIGHT_STORAGE: postgres.url,
      HOOKWRIGHT_OUTBOX: `${postgres.url}?schema=hookwright`,
    };
    const { code, printed } = await runCommand(["migrate", "--print"], environment);
    expect(code).toBe(0);
    expect(printed.match(/create table hookwright\.outbox \(/gu)).toHaveLength(1);
    await postgres.run(printed);
  });

  it("prints the SQL for an empty database, and says so, if the database cannot be reached", async () => {
    const environment = { HOOKWRIGHT_STORAGE: "postgres://hookwright@127.0.0.1:1/shop" };
    expect(await runCommand(["migrate", "--print"], environment)).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^-- PostgreSQL at 127.* is unreachable.*^create table /msu),
      complained: "",
    });
  });

  it("creates only the outbox with --outbox, whatever the storage is", async () => {
    const migrate = (args: readonly string[], environment: Record<string, string> = {}) =>
      runCommand(["migrate", ...args], environment);
    const url = `${postgres.url}?schema=orders`;
    const tables = async () =>
      (await postgres.run("select tablename from pg_tables where schemaname = 'orders' order by 1")).map(
        ({ tablename }) => tablename,
      );
    const printed = await migrate(["--outbox", url, "--print"]);
    expect(printed.printed).toContain("create table orders.outbox (");
    expect(printed.printed).not.toContain("create table orders.rows");
    expect(await tables()).toEqual([]);
    const done = await migrate(["--outbox", url], { HOOKWRIGHT_STORAGE: "memory" });
    expect([done.code, done.complained]).toEqual([0, expect.stringContaining("are up to date")]);
    expect(done.complained).not.toContain("hookwright@");
    expect(await tables()).toEqual(["outbox", "outbox_migrations", "outbox_rejected", "outbox_relay"]);
    const both = await migrate([], {
      HOOKWRIGHT_STORAGE: `${postgres.url}?schema=other`,
      HOOKWRIGHT_OUTBOX: url,
    });
    expect([both.code, both.complained.split("\n").length]).toEqual([0, 2]);
  });

  it.each([
    [["--outbox", "file:data"], "--outbox (or HOOKWRIGHT_OUTBOX) must be postgres://"],
    [["--print=all"], "--print takes no value"],
    [["--storage", "file:data"], "migrate needs a PostgreSQL database"],
    [["--storage", "paper"], "must be postgres://"],
  ])("refuses %j", async (args, text) => {
    const refused = await runCommand(["migrate", ...args]);
    expect(refused).toMatchObject({ code: 2, complained: expect.stringContaining(text) });
  });
});

describe.runIf(hasPostgresServer)("the outbox", () => {
  const insertOrders = (
    postgres: PostgresServer,
    first: number,
    last: number,
    wrap = (insert: string): string => insert,
  ) =>
    postgres.run(
      wrap(`insert into hookwright.outbox (event, project_id, data)
       select 'order.created', 'site_' || n % 4, jsonb_build_object('id', 'ord_' || n, 'total', 1) from generate_series(${first}, ${last - 1}) n`),
    );

  it("of another database is relayed with --outbox by any storage, also after two-phase commit", async () => {
    await using postgres = await startPostgresServer(["-c", "max_prepared_transactions=5"]);
    await using receiver = await startCountingReceiver();
    const environment = { HOOKWRIGHT_OUTBOX: postgres.url, HOOKWRIGHT_OUTBOX_NOTIFY: "off" };
    await using server = await startOn("memory", "all", environment);
    await createTenants(server, 4, receiver.url);
    await insertOrders(postgres, 0, 100, (insert) => `begin; ${insert}; prepare transaction 'orders'`);
    await postgres.run("commit prepared 'orders'");
    await receiver.received(100);
    expect(receiver.duplicates).toBe(0);
    expect((await server.stop()).code).toBe(0);
  }, 60_000);

  it("is relayed by workers: one that is killed loses and repeats no event", async () => {
    await using postgres = await startPostgresServer();
    await using receiver = await startCountingReceiver();
    await using api = await startOn(postgres.url, "api");
    await createTenants(api, 4, receiver.url);
    const orders = 3_000;
    const left = async () =>
      Number((await postgres.run("select count(*) from hookwright.outbox"))[0]?.["count"]);
    await insertOrders(postgres, 0, orders);
    let wasInTheMiddle = false;
    for (let round = 0; round < 3; round++) {
      await using worker = await startOn(postgres.url, "worker");
      await until(async () => (await left()) < orders - 750 * round);
      await worker.kill9();
      wasInTheMiddle ||= (await left()) > 0;
    }
    expect(wasInTheMiddle).toBe(true);
    await using last = await startOn(postgres.url, "worker");
    await receiver.received(orders);
    await until(async () => (await left()) === 0);
    expect(await postgres.run("select 1 from hookwright.outbox_rejected")).toEqual([]);
    // An attempt may be repeated after a crash, but an event has one delivery.
    expect(receiver.seen.size).toBe(orders);
    for (const server of [api, last]) expect((await server.stop()).code).toBe(0);
  }, 60_000);
});

describe.runIf(hasPostgresServer)("a server whose PostgreSQL", () => {
  it("is unavailable responds with 503 within 5 s, is not ready, and recovers by itself", async () => {
    await using postgres = await startPostgresServer();
    await using receiver = await startCountingReceiver();
    await using server = await startOn(postgres.url);
    const [apiKey = ""] = await createTenants(server, 4, receiver.url);
    await publishOrders([server], { last: 100, sites: 4 });
    await receiver.received(100);
    await postgres.stop();
    for (let round = 0; round < 10; round++) {
      const answer = await ask(server, "/v1/me", apiKey);
      expect(answer).toMatchObject({ status: 503, body: { error: { code: "internal_error" } } });
      expect(answer.ms).toBeLessThan(5_000);
    }
    expect(await isReady(server)).toBe(false);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await postgres.start();
    expect(await until(() => isReady(server))).toBeLessThan(5_000);
    await publishOrders([server], { first: 100, last: 200, sites: 4 });
    await receiver.received(200);
    expect(receiver.duplicates).toBe(0);
    expect((await server.stop()).code).toBe(0);
  }, 60_000);

  it("is unavailable can be stopped", { tags: ["long"] }, async () => {
    await using postgres = await startPostgresServer();
    await using server = await startOn(postgres.url);
    await postgres.stop();
    const start = performance.now();
    expect((await server.stop()).code).toBe(0);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
