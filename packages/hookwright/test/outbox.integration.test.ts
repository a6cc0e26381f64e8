import { readFile } from "node:fs/promises";
import { memoryStore } from "@hookwright/storage/memory";
import { migratePostgresStore, openPostgresStore } from "@hookwright/storage/postgres";
import { hasPgBouncer, startPgBouncer } from "../../storage/test/support/pgbouncer.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  connectTo,
  hasPostgresServer,
  openPool,
  startPostgresServer,
} from "../../storage/test/support/postgres-server.ts";
import type { PostgresServer } from "../../storage/test/support/postgres-server.ts";
import { createHookwright } from "../src/create-hookwright.ts";
import { publishInTransaction } from "../src/postgres.ts";
import { newSchema, openOutboxWorld } from "./support/outbox-world.ts";
import type { OutboxWorld } from "./support/outbox-world.ts";

const order = (id: string, more: object = {}) => ({ id, total: "9.50", ...more });

/** The statements of a page that grant rights. */
async function readGrants(page: string): Promise<string> {
  const text = await readFile(new URL(`../../../docs/${page}.md`, import.meta.url), "utf8");
  const blocks = Array.from(text.matchAll(/^```sql\n(grant .*?)^```/gmsu), ([, sql = ""]) => sql);
  expect(blocks).not.toEqual([]);
  return blocks.join("\n");
}

describe.runIf(hasPostgresServer)("the outbox of a PostgreSQL store", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer(["-c", "wal_level=logical", "-c", "max_prepared_transactions=5"]);
  });
  /** In a database of its own. */
  async function createDatabase(name: string): Promise<string> {
    await server.run(`create database ${name}`);
    return server.url.replace(/postgres$/u, name);
  }
  afterAll(() => server[Symbol.asyncDispose]());
  const open = (options: Partial<Parameters<typeof openOutboxWorld>[0]> = {}): Promise<OutboxWorld> =>
    openOutboxWorld({ url: server.url, ...options });

  it("publishes an event once after the commit, and never after a rollback", async () => {
    await using world = await open();
    const { client, schema, receiver } = world;
    await client.query("begin");
    await world.insert("order.created", order("undone"));
    await client.query("rollback");
    await client.query("begin");
    await world.insert("order.created", order("kept"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.waiting).toEqual([]);
    await client.query("commit");
    const { body } = await receiver.next();
    expect(JSON.parse(body.toString("utf8"))).toMatchObject({
      id: "order.created_kept",
      project: { id: "site_1" },
      data: { id: "kept", total: 9.5 },
    });
    await world.isEmpty();
    const { rows } = await world.hookwright.deliveries.list("acc_1", {});
    expect(rows).toHaveLength(1);
    expect((await client.query(`select 1 from ${schema}.outbox_rejected`)).rows).toEqual([]);
    expect(receiver.waiting).toEqual([]);
  });

  it("has a state: what waits longest, and which session relays", async () => {
    await using world = await open();
    const { outbox } = world.store;
    await expect.poll(async () => (await outbox?.readState())?.relay?.session).toMatch(/^\d+$/u);
    const { rows } = await world.client.query(
      `select pid::text, application_name from pg_stat_activity where pid in (select session from ${world.schema}.outbox_relay)`,
    );
    const relays = rows.map(({ pid, application_name: program }) => ({
      session: pid,
      program,
      address: "127.0.0.1",
    }));
    expect(relays).toContainEqual((await outbox?.readState())?.relay);
    expect((await outbox?.readState())?.oldest).toBeUndefined();
    // The relay needs this lock to take the row.
    await world.client.query("begin");
    await world.client.query(`lock table ${world.schema}.rows in share mode`);
    await world.insert("order.created", order("waits"));
    await using other = await connectTo(server.url);
    await other.query(`insert into ${world.schema}.outbox (event, project_id, data, created_at)
      values ('order.created', 'site_1', '{"id":"old","total":1}', now() - interval '1 hour')`);
    const { oldest } = (await outbox?.readState()) ?? {};
    expect(oldest).toMatchObject({ id: expect.stringMatching(/^\d+$/u) });
    expect(oldest?.seconds).toBeGreaterThanOrEqual(3_600);
    await world.client.query("commit");
    await world.isEmpty();
  });

  it("delivers within milliseconds of the commit", async () => {
    await using world = await open();
    const times: number[] = [];
    for (let number = 0; number < 11; number++) {
      const start = performance.now();
      await world.insert("order.created", order(`ord_${number}`));
      await world.receiver.next();
      times.push(performance.now() - start);
    }
    const median = times.toSorted((one, other) => one - other)[5] ?? Number.NaN;
    // The budget of the bench is 15 ms. A poll alone would take 500 ms.
    expect(median).toBeLessThan(400);
  });

  it("publishes thousands of rows together", async () => {
    await using world = await open();
    const start = performance.now();
    await world.client.query(
      `insert into ${world.schema}.outbox (event, project_id, data)
       select 'review.submitted', 'site_1', jsonb_build_object('id', 'rev_' || n, 'rating', 5) from generate_series(1, 4000) n`,
    );
    await world.isEmpty();
    // The bench shows thousands a second on an idle machine.
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(await world.rejected()).toEqual([]);
    expect(world.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("publishes the events of one record in the order of their rows", async () => {
    await using world = await open();
    await world.client.query("begin");
    for (const event of ["order.created", "order.paid"])
      for (let number = 0; number < 20; number++)
        await world.insert(event, order(`ord_${number}`, { status: event }));
    await world.client.query("commit");
    await world.isEmpty();
    const { rows } = await world.hookwright.deliveries.list("acc_1", {}, { limit: 100 });
    // Newest first, and ids grow with time.
    const events = new Map<string, string[]>();
    for (const { event, record_id: record } of rows.toReversed())
      events.set(record, [...(events.get(record) ?? []), event]);
    expect(events.size).toBe(20);
    for (const each of events.values()) expect(each).toEqual(["order.created", "order.paid"]);
    expect(await world.hookwright.orders.get("acc_1", "ord_7")).toMatchObject({ status: "order.paid" });
  });

  it("moves each kind of invalid row to outbox_rejected, and publishes the others", async () => {
    await using world = await open();
    const { client, schema } = world;
    const before = order("before");
    await client.query("begin");
    await world.insert("order.created", before);
    await world.insert("order.shipped", order("a"));
    await world.insert("order.created", order("b"), "site_unknown");
    await world.insert("order.created", { id: "c" });
    await world.insert("order.created", order("d", { total: "many" }));
    for (const data of [[1], "text", 7, null, {}]) await world.insert("order.created", data);
    await world.insert("order.created", order("e", { note: "x".repeat(300_000) }));
    await client.query(
      `insert into ${schema}.outbox (event, project_id, data)
       select 'order.created', 'site_1', jsonb_build_object('id', 'f', 'total', 1, 'more', repeat('x', 17 * 1024 * 1024))`,
    );
    await client.query(
      `insert into ${schema}.outbox (event, project_id, data) values (repeat('e', 100000), repeat('p', 100000), '{"id": "g"}')`,
    );
    await world.insert("order.created", order("after"));
    await client.query("commit");
    await world.isEmpty();
    const rejected = await world.rejected();
    expect(rejected.map(({ code, message }) => [code, String(message).slice(0, 200)])).toEqual([
      ["unknown_event", expect.stringContaining("order.shipped")],
      ["validation_failed", expect.stringContaining("project_id: no such site")],
      ["validation_failed", expect.stringContaining("data.total")],
      ["validation_failed", expect.stringContaining("data.total")],
      ["validation_failed", expect.stringContaining("data: ")],
      ["validation_failed", expect.stringContaining("data: must be an object")],
      ["validation_failed", expect.stringContaining("data: must be an object")],
      ["validation_failed", expect.stringContaining("data: is required")],
      ["validation_failed", expect.stringContaining("data.id")],
      ["validation_failed", expect.stringContaining("256 KiB")],
      ["validation_failed", "data: must have at most 16 MiB of JSON"],
      ["unknown_event", expect.any(String)],
    ]);
    expect(rejected[1]).toMatchObject({
      event: "order.created",
      project_id: "site_unknown",
      data: order("b"),
      created_at: expect.any(Date),
      rejected_at: expect.any(Date),
    });
    await expect
      .poll(() =>
        world
          .bodies()
          .map(({ id }) => id)
          .toSorted(),
      )
      .toEqual(["order.created_after", "order.created_before"]);
    expect(await world.metric("hookwright_outbox_rejected_total")).toBe(12);
    const line = world.lines.find(({ fields }) => fields["code"] === "outbox_rejected");
    expect(line).toMatchObject({
      level: "warn",
      fields: { schema, outbox_id: "2", event: "order.shipped", reason: "unknown_event" },
    });
  });

  it("publishes a rejected event again once, after a correction that the check accepts", async () => {
    await using world = await open({ hookwright: { hostToken: "support:read+manage:s3cret" } });
    const { hookwright, receiver } = world;
    const call = async (target: string, json?: unknown) => {
      const [method = "GET", path = ""] = target.split(" ", 2);
      const response = await hookwright.fetch(
        new Request(`http://localhost/host/v1/outbox${path}`, {
          method,
          headers: { authorization: "Bearer s3cret", "content-type": "application/json" },
          body: json === undefined ? null : JSON.stringify(json),
        }),
      );
      return { status: response.status, ...JSON.parse(await response.text()) };
    };
    await world.insert("order.created", { id: "right", total: "9.50" }, "site_unknown");
    await world.insert("order.created", { id: "wrong" });
    await world.insert("order.created", { id: "useless" });
    await expect.poll(async () => (await call("GET ")).data.rejected).toBe(3);

    const first = await call("GET /rejected?limit=2");
    expect(first.data).toMatchObject([{ data: { id: "useless" } }, { data: { id: "wrong" } }]);
    const second = await call(`GET /rejected?limit=2&cursor=${first.meta.next_cursor}`);
    expect(second.meta).toEqual({ has_more: false, next_cursor: null });
    const [useless, wrong, right] = [...first.data, ...second.data];
    expect(right).toEqual({
      id: expect.stringMatching(/^1-\d+$/u),
      outbox_id: "1",
      event_id: null,
      event: "order.created",
      project_id: "site_unknown",
      account_id: null,
      data: { id: "right", total: "9.50" },
      code: "validation_failed",
      message: "project_id: no such site",
      created_at: expect.any(String),
      rejected_at: expect.any(String),
    });
    expect(wrong).toMatchObject({ project_id: "site_1", account_id: "acc_1" });
    expect((await call(`GET /rejected/${wrong.id}`)).data).toEqual(wrong);

    const retry = (id: string, json?: unknown) => call(`POST /rejected/${id}/retry`, json);
    expect(await retry(right.id)).toMatchObject({
      status: 422,
      error: { code: "validation_failed", message: "project_id: no such site" },
    });
    expect(await retry(wrong.id, { data: { id: "wrong", total: "many" } })).toMatchObject({
      status: 422,
      error: { code: "validation_failed", message: expect.stringContaining("data.total") },
    });
    expect(await retry(wrong.id, { data: { id: "wrong", note: "\0" } })).toMatchObject({
      error: { code: "validation_failed", message: expect.stringContaining("U+0000") },
    });
    expect((await call("GET ")).data.rejected).toBe(3);

    const tried = await Promise.all([
      retry(wrong.id, { data: order("wrong", { number: "1" }) }),
      retry(wrong.id, { data: order("wrong", { number: "1" }) }),
    ]);
    expect(tried.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await retry(right.id, { project_id: "site_1" })).data).toEqual({
      id: right.id,
      retried: true,
      outbox_id: expect.stringMatching(/^\d+$/u),
    });
    expect((await call(`DELETE /rejected/${useless.id}`)).data).toEqual({ id: useless.id, deleted: true });
    expect((await call(`DELETE /rejected/${useless.id}`)).error.code).toBe("resource_not_found");
    const arrived = [await receiver.next(), await receiver.next()].map(({ body }) => String(body));
    expect(arrived.toSorted()).toEqual([
      expect.stringContaining('"id":"order.created_right"'),
      expect.stringContaining('"id":"order.created_wrong"'),
    ]);
    await world.isEmpty();
    expect(world.bodies()).toEqual([]);
    expect(await hookwright.orders.get("acc_1", "right")).toMatchObject({ total: 9.5 });
    expect(await hookwright.orders.get("acc_1", "wrong")).toMatchObject({ number: "1" });
    expect((await hookwright.rejectedEvents.list()).rows).toEqual([]);
    const entries = (await hookwright.audit.list({ account_id: "acc_1", actor: "support" })).rows;
    expect(entries.map(({ action, target, changed }) => [action, target.id, changed])).toEqual([
      ["rejected_event.removed", useless.id, ["event"]],
      ["rejected_event.retried", right.id, ["event", "project_id"]],
      ["rejected_event.retried", wrong.id, ["event", "data"]],
    ]);
  });

  it("keeps the digits of numbers that JavaScript cannot hold, or rejects them by name", async () => {
    const events = {
      "refund.issued": {
        schema: z.looseObject({ id: z.string() }),
        sample: { id: "1" },
        description: "A refund is issued.",
      },
    };
    await using world = await open({ hookwright: { events } });
    const { client, schema, hookwright } = world;
    await client.query(
      `insert into ${schema}.outbox (event, project_id, data) values
        ('order.created', 'site_1', '{"id": 9007199254740993, "number": 12345678901234567890, "total": 33.3333333333333333}'),
        ('order.paid', 'site_1', '{"id": 9007199254740995, "total": 12345678901234.123456}'),
        ('refund.issued', 'site_1', '{"id": 9007199254740997, "amount": 5}'),
        ('refund.issued', 'site_1', '{"id": "2", "amount": 9007199254740993}'),
        ('refund.issued', 'site_1', '{"id": "3", "amount": 1.5e300}')`,
    );
    await world.isEmpty();
    expect(await hookwright.orders.get("acc_1", "9007199254740993")).toMatchObject({
      number: "12345678901234567890",
      total: 33.333333,
    });
    const samples = await hookwright.eventTypes.samples("acc_1", "refund.issued");
    expect(samples).toMatchObject([
      { data: { id: "3", amount: 1.5e300 } },
      { data: { id: "9007199254740997", amount: 5 } },
    ]);
    expect((await world.rejected()).map(({ message }) => message)).toEqual([
      "data.total: must be a number, or decimal text such as 9.50 with at most 15 digits",
      "data.amount: must be sent as text, because 9007199254740993 has more digits than a number can hold",
    ]);
  });

  it("loses the rows of an account that is deleted, also the rejected ones", async () => {
    await using world = await open();
    const { hookwright, client, schema } = world;
    await hookwright.accounts.put("acc_gone", {
      name: "Gone",
      email: "gone@example.com",
      timezone: "Etc/UTC",
    });
    await hookwright.projects.put("site_gone", { account_id: "acc_gone", name: "Gone", timezone: "Etc/UTC" });
    await world.insert("order.created", { id: "personal" }, "site_gone");
    await world.insert("order.created", { id: "other" });
    await expect.poll(async () => (await world.rejected()).length).toBe(2);
    await hookwright.accounts.remove("acc_gone");
    expect((await world.rejected()).map(({ project_id: projectId }) => projectId)).toEqual(["site_1"]);
    expect((await client.query(`select from ${schema}.outbox`)).rows).toEqual([]);
  });

  it("lives with an account from its first row to its end, in a database of which all tables are published", async () => {
    const url = await createDatabase("replicated");
    await using world = await open({ url });
    const { hookwright, client } = world;
    await client.query("create publication everything for all tables");
    await hookwright.accounts.put("acc_gone", {
      name: "Gone",
      email: "gone@example.com",
      timezone: "Etc/UTC",
    });
    await hookwright.projects.put("site_gone", { account_id: "acc_gone", name: "Gone", timezone: "Etc/UTC" });
    await world.insert("order.paid", order("ord_1"), "site_gone");
    await world.insert("order.paid", { id: "invalid" }, "site_gone");
    await world.insert("order.paid", { id: "stays" }, "site_gone");
    await expect.poll(() => world.rejected()).toHaveLength(2);
    await client.query(
      `with row as (delete from ${world.schema}.outbox_rejected where data ->> 'id' = 'invalid' returning event, data)
       insert into ${world.schema}.outbox (event, project_id, data) select event, 'site_gone', data || '{"total":1}' from row`,
    );
    await world.isEmpty();
    await hookwright.accounts.remove("acc_gone");
    expect(await world.rejected()).toEqual([]);
    await expect(hookwright.accounts.get("acc_gone")).rejects.toMatchObject({ code: "resource_not_found" });
  });

  it("needs only the documented grants, also where functions are not public", async () => {
    const url = await createDatabase("guarded");
    const as = (role: string) => url.replace("postgres:hookwright@", `${role}:secret@`);
    await server.run(
      "create role hookwright login password 'secret'; create role shop login password 'secret'",
    );
    await using owner = await connectTo(url);
    await owner.query("alter default privileges revoke execute on functions from public");
    await migratePostgresStore({ url });
    await owner.query(await readGrants("operations/storage"));
    await owner.query(await readGrants("guide/postgres"));
    await using world = await open({ url: as("hookwright"), schema: "hookwright" });
    await using shop = await connectTo(as("shop"));
    await shop.query("begin");
    await publishInTransaction(shop, { event: "order.created", project_id: "site_1", data: order("ord_1") });
    await shop.query("commit");
    await world.receiver.next();
    await shop.query(
      "insert into hookwright.outbox (event, project_id, data) values ('order.shipped', 'site_1', '{}')",
    );
    await expect.poll(() => world.rejected()).toHaveLength(1);
    await world.hookwright.accounts.remove("acc_1");
    expect(await world.rejected()).toEqual([]);
  });

  it("names the role that may not call its functions, and grants that are enough", async () => {
    const url = await createDatabase("refusing");
    await server.run(`create role "weak-1" login password 'secret'`);
    const asWeak = url.replace("postgres:hookwright@", "weak-1:secret@");
    await using owner = await connectTo(url);
    await owner.query("alter default privileges revoke execute on functions from public");
    await migratePostgresStore({ url });
    const error: unknown = await openPostgresStore({ url: asWeak }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      reason: "permission_denied",
      message: expect.stringContaining("role weak-1 lacks"),
    });
    const [, statements = ""] = /`(grant .*)`/u.exec(String(error)) ?? [];
    await owner.query(statements);
    const store = await openPostgresStore({ url: asWeak });
    await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "a"], value: "1" }] });
    await store.close();
  });

  it.each([
    ["without its URL", false],
    ["with its URL", true],
  ])("works with two-phase commit, if the option %s stops notifications", async (_, isNamed) => {
    const schema = newSchema();
    const outbox = isNamed ? { url: server.url, schema, notify: false } : { notify: false };
    await using world = await open({ schema, hookwright: { outbox } });
    const { client, receiver } = world;
    for (const id of ["ord_1", "ord_2"]) {
      await client.query("begin");
      await world.insert("order.created", order(id));
      await client.query(`prepare transaction '${id}'`);
      await client.query(`commit prepared '${id}'`);
      const { body } = await receiver.next();
      expect(JSON.parse(body.toString("utf8"))).toMatchObject({ data: { id } });
    }
  });

  it("shows the lag while no process relays", async () => {
    await using world = await open({ hookwright: { role: "api" } });
    expect(await world.metric("hookwright_outbox_oldest_seconds")).toBe(0);
    await world.client.query(
      `insert into ${world.schema}.outbox (event, project_id, data, created_at) values ('order.created', 'site_1', '{}', now() - interval '90 seconds')`,
    );
    const age = await world.metric("hookwright_outbox_oldest_seconds");
    expect(age).toBeGreaterThanOrEqual(90);
    expect(age).toBeLessThan(120);
  });

  it("polls, so a lost notification delays an event by about a second", async () => {
    await using world = await open();
    await world.client.query(`alter table ${world.schema}.outbox disable trigger outbox_notify`);
    const start = performance.now();
    await world.insert("order.created", order("ord_1"));
    await world.receiver.next();
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it("is relayed by one of two processes, and by the other one when that closes", async () => {
    await using world = await open();
    const store = await openPostgresStore({ url: server.url, schema: world.schema });
    const other = await createHookwright({ store, secret: "s".repeat(32), privateTargets: true });
    const rows = (from: number, to: number) =>
      world.client.query(
        `insert into ${world.schema}.outbox (event, project_id, data)
         select 'order.created', 'site_1', jsonb_build_object('id', 'ord_' || n, 'total', 1) from generate_series($1::int, $2::int) n`,
        [from, to],
      );
    await rows(1, 300);
    await expect.poll(() => world.receiver.waiting.length).toBe(300);
    await world.hookwright.close();
    await rows(301, 400);
    await expect.poll(() => world.receiver.waiting.length).toBe(400);
    await other.close();
    await store.close();
    expect(new Set(world.bodies().map(({ id }) => id)).size).toBe(400);
  });

  it("is published once and in order while two processes relay, as during an upgrade from a version without the lease", async () => {
    const schema = newSchema();
    await migratePostgresStore({ url: server.url, schema });
    await server.run(
      `create function ${schema}.expire() returns trigger language plpgsql as 'begin new.until := null; return new; end';
       create trigger expire before update on ${schema}.outbox_relay for each row execute function ${schema}.expire()`,
    );
    await using world = await open({ schema });
    const session = async () =>
      (await server.run(`select session from ${schema}.outbox_relay`))[0]?.["session"];
    await expect.poll(session).not.toBeNull();
    const first = await session();
    await using store = await openPostgresStore({ url: server.url, schema });
    await using other = await createHookwright({ store, secret: "s".repeat(32), privateTargets: true });
    await expect.poll(session).not.toBe(first);
    for (let part = 0; part < 5; part++)
      await world.client.query(
        `insert into ${schema}.outbox (event, project_id, data)
         select e, 'site_1', jsonb_build_object('id', 'ord_' || n, 'total', 1)
         from generate_series($1::int, $1::int + 9) n, unnest(array['order.created', 'order.paid']) with ordinality u (e, place) order by place, n`,
        [part * 10],
      );
    await world.isEmpty();
    await expect.poll(() => world.receiver.waiting.length).toBe(100);
    const { rows } = await other.deliveries.list("acc_1", {}, { limit: 100 });
    const events = Map.groupBy(rows.toReversed(), ({ record_id: record }) => record);
    expect(events.size).toBe(50);
    for (const [record, each] of events)
      expect([record, each.map(({ event }) => event)]).toEqual([record, ["order.created", "order.paid"]]);
    expect(await world.rejected()).toEqual([]);
  });

  it("publishes other events while somebody locks a row, and that row afterwards", async () => {
    await using world = await open({ schema: "outbox_locked" });
    const { client, schema } = world;
    // Without the notification, the relay sees the row up to a second later.
    await client.query(`alter table ${schema}.outbox disable trigger all`);
    await world.insert("order.created", order("locked"));
    await client.query("begin");
    const { rows } = await client.query(`select id from ${schema}.outbox for update`);
    await server.run(
      `insert into ${schema}.outbox (event, project_id, data) values ('order.created', 'site_1', '{"id":"free","total":1}')`,
    );
    await expect.poll(() => world.bodies().map(({ id }) => id)).toEqual(["order.created_free"]);
    expect(rows).toHaveLength(1);
    await client.query("commit");
    await expect.poll(() => world.bodies().length).toBe(2);
    expect(await world.rejected()).toEqual([]);
  });

  it("loses and repeats nothing when its connections break in the middle", async () => {
    await using world = await open({ schema: "outbox_breaks" });
    const inserting = world.client.query(
      `insert into ${world.schema}.outbox (event, project_id, data)
       select 'order.created', 'site_1', jsonb_build_object('id', 'ord_' || n, 'total', 1) from generate_series(1, 1500) n`,
    );
    await inserting;
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      await server.run(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hookwright' and pid <> pg_backend_pid()",
      );
    }
    await world.isEmpty();
    await expect.poll(() => new Set(world.bodies().map(({ id }) => id)).size).toBe(1_500);
    expect(await world.rejected()).toEqual([]);
    expect(await countDeliveries(world)).toBe(1_500);
  });

  it("needs no option, and an option that names it changes nothing", async () => {
    const schema = newSchema();
    await using world = await open({ schema, hookwright: { outbox: { url: server.url, schema } } });
    await world.insert("order.created", order("ord_1"));
    await world.receiver.next();
    const listening = await server.run(
      `select 1 from pg_stat_activity a join pg_locks l on l.pid = a.pid where locktype = 'advisory' and classid = hashtext('${schema}')::bigint & 4294967295`,
    );
    expect(listening.length).toBeLessThanOrEqual(1);
  });

  it("does not stop the store from closing", async () => {
    const world = await open();
    await world.client.end();
    // A host that closes in the wrong order must not hang.
    await world.store.close();
    await world.hookwright.close();
    await world.receiver[Symbol.asyncDispose]();
    // The server notices a closed connection a moment later.
    await expect
      .poll(() => server.run("select 1 from pg_stat_activity where application_name = 'hookwright'"))
      .toEqual([]);
  });

  it("is published with publishInTransaction of the instance, which knows the sites", async () => {
    await using world = await open();
    const { client, hookwright } = world;
    await client.query("begin");
    await expect(
      hookwright.publishInTransaction(client, {
        event: "order.created",
        project_id: "site_2",
        data: order("ord_1"),
      }),
    ).rejects.toMatchObject({ code: "validation_failed" });
    await hookwright.publishInTransaction(client, {
      event: "order.created",
      project_id: "site_1",
      data: { id: 17n, total: "9.50", note: "half \ud800", created_at: new Date("2026-11-20T09:30:00Z") },
    });
    await client.query("commit");
    const { body } = await world.receiver.next();
    expect(JSON.parse(body.toString("utf8"))).toMatchObject({
      data: { id: "17", total: 9.5, note: "half \ufffd", created_at: "2026-11-20T09:30:00Z" },
    });
  });
});

describe.runIf(hasPostgresServer)("publishing in a transaction", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const event = { event: "order.created", project_id: "site_1", data: order("ord_1") } as const;
  /** `order.created` of a site whose account this process has not looked up. */
  const ofSite = (site: string) => ({ ...event, project_id: site });

  it("uses only the connection of the transaction, also for a site that it does not know yet", async () => {
    // Notifications, the relay, and the transaction: the pool has no other connection.
    await using pool = openPool(server.url, 3);
    const schema = newSchema();
    await using world = await openOutboxWorld({
      url: server.url,
      schema,
      openStore: () => openPostgresStore({ pool, schema }),
    });
    const { hookwright } = world;
    await hookwright.projects.put("site_cold", { account_id: "acc_1", name: "Cold" });
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(2);
    const client = await pool.connect();
    await client.query("begin");
    await expect(hookwright.publishInTransaction(client, ofSite("site_none"))).rejects.toMatchObject({
      code: "validation_failed",
      message: "project_id: no such site",
    });
    await hookwright.publishInTransaction(client, ofSite("site_cold"));
    expect(pool.waitingCount).toBe(0);
    await client.query("commit");
    client.release();
    expect(JSON.parse((await world.receiver.next()).body.toString("utf8"))).toMatchObject({
      project: { id: "site_cold" },
    });
  });

  it("leaves the site to the relay if the transaction cannot read it, and goes on", async () => {
    await using world = await openOutboxWorld({ url: server.url });
    const { client, hookwright, schema } = world;
    await server.run(
      `create role till login password 'till'; grant usage on schema ${schema} to till; grant insert on ${schema}.outbox to till`,
    );
    await using till = await connectTo(server.url.replace("postgres:hookwright@", "till:till@"));
    await till.query("begin");
    await hookwright.publishInTransaction(till, ofSite("site_none"));
    await till.query("commit");
    await expect.poll(() => world.rejected()).toMatchObject([{ project_id: "site_none" }]);

    // The site is newer than the snapshot of the transaction.
    await client.query("begin isolation level repeatable read");
    await client.query("select 1");
    await hookwright.projects.put("site_new", { account_id: "acc_1", name: "New" });
    await hookwright.publishInTransaction(client, ofSite("site_new"));
    await client.query("commit");
    await world.receiver.next();
  });

  it.each(["directly", "through PgBouncer in transaction mode"])(
    "refuses a pool and a client outside of a transaction, connected %s",
    async (way) => {
      if (way !== "directly" && !hasPgBouncer) return;
      await using world = await openOutboxWorld({ url: server.url });
      const { hookwright, schema } = world;
      await using bouncer =
        way === "directly" ? undefined : await startPgBouncer(server, { mode: "transaction", poolSize: 3 });
      const url = bouncer?.url ?? server.url;
      await using client = await connectTo(url);
      await using pool = openPool(url, 2);
      const query = (text: string, values: string[]) => client.query(text, values);
      for (const publish of [hookwright.publishInTransaction, publishInTransaction]) {
        for (const outside of [client, { query }])
          await expect(publish(outside, event, { schema })).rejects.toMatchObject({
            code: "invalid_argument",
            message: expect.stringContaining("client is not in a transaction"),
          });
        await expect(
          // @ts-expect-error a pool
          publish(pool, event, { schema }),
        ).rejects.toMatchObject({
          code: "invalid_argument",
          message: expect.stringContaining("client is a pool"),
        });
        // A wrapped pool: each statement is a transaction of its own.
        const wrapped = { query: (text: string, values: string[]) => pool.query(text, values) };
        await expect(publish(wrapped, event, { schema })).rejects.toMatchObject({ code: "invalid_argument" });
      }
      expect(await server.run(`select * from ${schema}.outbox_rejected`)).toEqual([]);
      expect(await world.hookwright.deliveries.list("acc_1", {})).toMatchObject({ rows: [] });

      // Neither waits for the answer of `begin`.
      for (const inside of [client, { query }]) {
        void client.query("begin");
        await publishInTransaction(inside, event, { schema });
        await client.query("rollback");
      }
      await client.query("begin");
      await publishInTransaction({ query }, event, { schema });
      await client.query("commit");
      await world.receiver.next();
      await world.isEmpty();
      expect(world.receiver.waiting).toEqual([]);
    },
  );
});

async function countDeliveries({ hookwright }: OutboxWorld): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined; ;) {
    const { rows, meta } = await hookwright.deliveries.list("acc_1", {}, { limit: 100, cursor });
    count += rows.length;
    if (meta.next_cursor === null) return count;
    cursor = meta.next_cursor;
  }
}

describe.runIf(hasPostgresServer)("the outbox beside another store", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const open = (schema = newSchema()): Promise<OutboxWorld> =>
    openOutboxWorld({
      url: server.url,
      schema,
      openStore: async () => memoryStore(),
      hookwright: { outbox: { url: `${server.url}?schema=${schema}` } },
    });

  it("publishes events, rejects invalid ones, and deletes their rows", async () => {
    await using world = await open();
    const { client, hookwright, schema } = world;
    await client.query("begin");
    await hookwright.publishInTransaction(client, {
      event: "order.created",
      project_id: "site_1",
      data: order("ord_1"),
    });
    await client.query("commit");
    await world.insert("order.shipped", order("ord_2"));
    await world.receiver.next();
    await world.isEmpty();
    await expect.poll(() => world.rejected()).toMatchObject([{ code: "unknown_event" }]);
    expect(await client.query(`select to_regclass('${schema}.rows') as rows`)).toMatchObject({
      rows: [{ rows: null }],
    });
  });

  it("publishes at least once when rows cannot be deleted, and sends nothing twice", async () => {
    await using world = await open();
    const { client, schema } = world;
    await client.query(
      `create function ${schema}.refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before delete on ${schema}.outbox execute function ${schema}.refuse()`,
    );
    await world.insert("order.created", order("ord_1"));
    await world.receiver.next();
    await expect
      .poll(() => world.lines.filter(({ fields }) => fields["code"] === "outbox_unavailable").length)
      .toBeGreaterThan(1);
    await client.query(`drop trigger refuse on ${schema}.outbox`);
    await world.isEmpty();
    expect(world.receiver.waiting).toEqual([]);
  });

  it("explains that without url or pool there is none", async () => {
    await expect(
      createHookwright({ store: memoryStore(), secret: "s".repeat(32), outbox: { notify: false } }),
    ).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("outbox: must have url"),
    });
  });

  it("explains an outbox that cannot be opened", async () => {
    const opening = (outbox: { readonly url: string }) =>
      createHookwright({ store: memoryStore(), secret: "s".repeat(32), outbox });
    await expect(opening({ url: "mysql://127.0.0.1/shop" })).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("outbox: url must be postgres://"),
    });
    await expect(opening({ url: "postgres://app:hunter2@127.0.0.1:1/shop" })).rejects.toThrow(
      /127\.0\.0\.1:1\/shop is unreachable/u,
    );
  });

  it("names the role that may not create the tables, and the command that does", async () => {
    await server.run("create role weak login password 'weak'");
    const url = server.url.replace("postgres:hookwright@", "weak:weak@");
    await expect(
      createHookwright({ store: memoryStore(), secret: "s".repeat(32), outbox: { url, schema: "closed" } }),
    ).rejects.toMatchObject({
      code: "unavailable",
      reason: "permission_denied",
      message: expect.stringMatching(/role weak may not create.*hookwright migrate --outbox/u),
    });
  });

  it("names the role that may not publish, and the statement that allows it", async () => {
    await using world = await open();
    const { schema } = world;
    await server.run("create role teller login password 'teller'");
    const url = server.url.replace("postgres:hookwright@", "teller:teller@");
    await using client = await connectTo(url);
    const event = { event: "order.created", project_id: "site_1", data: order("ord_1") } as const;
    const advice = /grant usage on schema (\w+) to "teller"; grant insert on \w+\.outbox to "teller";/u;
    await client.query("begin");
    const error: unknown = await publishInTransaction(client, event, { schema }).catch(
      (thrown: unknown) => thrown,
    );
    await client.query("rollback");
    expect(error).toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/The role teller may not insert/u),
    });
    const [statements = ""] = advice.exec(String(error)) ?? [];
    await server.run(statements);
    await client.query("begin");
    await publishInTransaction(client, event, { schema });
    await client.query("commit");
    await world.receiver.next();
  });

  it("names the command if there is no outbox", async () => {
    await using client = await connectTo(server.url);
    await client.query("begin");
    await expect(
      publishInTransaction(
        client,
        { event: "order.created", project_id: "site_1", data: order("ord_1") },
        { schema: "nowhere" },
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining("hookwright migrate --outbox") });
  });
});
