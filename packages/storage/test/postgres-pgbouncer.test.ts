import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import type { Key, Store } from "@hookwright/storage";
import { runStoreContract } from "@hookwright/storage/contract";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { hasPgBouncer, startPgBouncer } from "./support/pgbouncer.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";

const isInstalled = hasPostgresServer && hasPgBouncer;
const key: Key = ["p05", "count"];

describe.runIf(isInstalled)("through PgBouncer in transaction mode", async () => {
  if (!isInstalled) return;
  const server = await startPostgresServer();
  // Fewer connections than the store has, so transactions of one client change the connection.
  const bouncer = await startPgBouncer(server, { mode: "transaction", poolSize: 3 });
  afterAll(async () => {
    await bouncer[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  let opened = 0;

  describe("again,", { tags: ["long"] }, async () => {
    await runStoreContract(({ now }) =>
      openPostgresStore({ url: bouncer.url, now, schema: `bounced_${opened++}`, sweepIntervalMs: 50 }),
    );
  });

  it("stores in two pools of the caller add to one sum", async () => {
    const schema = `bounced_${opened++}`;
    const pools = [new Pool({ connectionString: bouncer.url }), new Pool({ connectionString: bouncer.url })];
    const stores = await Promise.all(pools.map((pool) => openPostgresStore({ pool, schema })));
    for (let round = 0; round < 20; round++)
      await Promise.all(
        stores.map((store) => store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }] })),
      );
    expect(await Promise.all(stores.map((store) => store.get(key)))).toEqual(["40", "40"]);
    for (const store of stores) await store.close();
    for (const pool of pools) await pool.end();
  });

  it("an outbox without notifications is relayed by one session after the other, and leaves no lock behind", async () => {
    const source = { url: bouncer.url, schema: `bounced_${opened++}` };
    await using store = await openPostgresStore(source);
    await using other = await openPostgresStore(source);
    const open = (each: Store) =>
      each.outbox?.openSession({ notify: false, onRows() {}, onLost() {} }) ?? Promise.resolve(undefined);
    const session = await open(store);
    expect(await session?.read({ after: "0", limit: 10 })).toEqual([]);
    expect(await open(other)).toBeUndefined();
    session?.[Symbol.dispose]();
    await expect.poll(async () => (await open(other)) !== undefined).toBe(true);
    const locks = "select 1 from pg_locks where locktype = 'advisory'";
    expect(await server.run(locks)).toEqual([]);
  });

  it("leaves no transaction open and no lock behind", async () => {
    const url = bouncer.url;
    await using store = await openPostgresStore({ url, schema: `bounced_${opened++}` });
    await Promise.all(
      Array.from({ length: 50 }, () => store.commit("p05", { mutations: [{ type: "sum", key, amount: 1 }] })),
    );
    const left = `select (select count(*)::int from pg_locks where locktype = 'advisory') as locks,
      (select count(*)::int from pg_stat_activity where state like 'idle in transaction%') as transactions`;
    expect(await server.run(left)).toEqual([{ locks: 0, transactions: 0 }]);
  });
});

describe.runIf(isInstalled)("through PgBouncer in session mode", () => {
  it("notifications of other processes arrive", async () => {
    await using server = await startPostgresServer();
    await using bouncer = await startPgBouncer(server, { mode: "session", poolSize: 20 });
    await using watcher = await openPostgresStore({ url: bouncer.url });
    await using other = await openPostgresStore({ url: bouncer.url });
    const received: (readonly Key[] | undefined)[] = [];
    watcher.watch((keys) => received.push(keys));
    await expect.poll(() => received).toEqual([undefined]);
    await other.commit("p05", { mutations: [], notify: [key] });
    await expect.poll(() => received).toEqual([undefined, [key]]);
  });
});
