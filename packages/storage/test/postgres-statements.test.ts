import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { partitions, type Key, type Mutation } from "@hookwright/storage";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";

describe.runIf(hasPostgresServer)("statements", async () => {
  if (!hasPostgresServer) return;
  const server = await startPostgresServer();
  afterAll(() => server[Symbol.asyncDispose]());
  let names = 0;

  /** A store on a pool that counts the statements. Each one takes a connection out of the pool. */
  async function openCounted() {
    const schema = `statements_${names++}`;
    const pool = new Pool({ connectionString: server.url });
    const store = await openPostgresStore({ pool, schema, sweepIntervalMs: 3_600_000 });
    let count = 0;
    pool.on("acquire", () => (count += 1));
    return {
      schema,
      store,
      /** Returns the number of statements that a call needs. */
      async countOf(call: () => Promise<unknown>): Promise<number> {
        const before = count;
        await call();
        return count - before;
      },
      async [Symbol.asyncDispose]() {
        await store.close();
        await pool.end();
      },
    };
  }

  it("commits that arrive together share one statement, of whatever partitions", async () => {
    await using counted = await openCounted();
    const { store } = counted;
    const keys = Array.from({ length: 200 }, (_, index): Key => [partitions[index % 64] ?? "", "row", index]);
    const commitAll = () =>
      Promise.all(keys.map((key) => store.commit(key[0], { mutations: [{ type: "set", key, value: "x" }] })));
    expect(await counted.countOf(commitAll)).toBe(1);
    expect(await counted.countOf(() => store.getMany(keys))).toBe(1);
    expect(await counted.countOf(() => Promise.all(keys.map((key) => store.get(key))))).toBe(1);
    expect(await store.getMany(keys)).toEqual(keys.map(() => "x"));
  });

  it("commits that arrive while their partition commits share the next statement", async () => {
    await using counted = await openCounted();
    const { store } = counted;
    const add = () => store.commit("p07", { mutations: [{ type: "sum", key: ["p07", "count"], amount: 1 }] });
    const commitAll = async () => {
      const first = add();
      // The first one is on its way now.
      await new Promise((resolve) => setTimeout(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([first, ...Array.from({ length: 50 }, add)]);
    };
    expect(await counted.countOf(commitAll)).toBeLessThanOrEqual(2);
    expect(await store.get(["p07", "count"])).toBe("51");
  });

  it("a list needs one statement, also by groups", async () => {
    await using counted = await openCounted();
    const { store } = counted;
    const mutations = Array.from({ length: 300 }, (_, index): Mutation => {
      return { type: "set", key: ["p07", "queue", index % 30, index], value: "x" };
    });
    await store.commit("p07", { mutations });
    const prefix: Key = ["p07", "queue"];
    expect(await counted.countOf(() => store.list({ prefix, limit: 1_000 }))).toBe(1);
    expect(await counted.countOf(() => store.list({ prefix, limit: 1_000, groupBy: 1 }))).toBe(1);
    expect(await store.list({ prefix, limit: 1_000, groupBy: 1 })).toHaveLength(30);
  });

  it("commits of one partition keep the order of the calls", async () => {
    await using counted = await openCounted();
    const { store } = counted;
    const key: Key = ["p07", "last"];
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        store.commit("p07", {
          checks: [{ key, value: index === 0 ? undefined : String(index - 1) }],
          mutations: [
            { type: "set", key, value: String(index) },
            { type: "set", key: ["p07", "all", index], value: "" },
          ],
        }),
      ),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(await store.get(key)).toBe("39");
  });

  it("never scan the whole table", async () => {
    await using counted = await openCounted();
    const { schema } = counted;
    const scans = async () => {
      const [row] = await server.run(
        `select seq_scan::int, idx_scan::int from pg_stat_user_tables where schemaname = '${schema}' and relname = 'rows'`,
      );
      return row;
    };
    const store = await openPostgresStore({ url: server.url, schema, sweepIntervalMs: 10 });
    const before = await scans();
    const prefix: Key = ["p07", "row"];
    const mutations = Array.from({ length: 2_000 }, (_, index): Mutation => {
      return { type: "set", key: [...prefix, index % 20, index], value: "x", expiresAt: 4e12 };
    });
    await store.commit("p07", { mutations });
    await server.run(`vacuum analyze ${schema}.rows`);
    await store.commit("p07", {
      checks: [{ key: [...prefix, 1, 1], value: "x" }],
      mutations: [
        { type: "delete", key: [...prefix, 2, 2] },
        { type: "sum", key: ["p07", "count"], amount: 1 },
        { type: "set", key: ["p07", "soon"], value: "", expiresInMs: 1 },
      ],
    });
    await store.commit("p07", {
      mutations: [
        { type: "set", key: ["p07", "twice"], value: "1" },
        { type: "sum", key: ["p07", "twice"], amount: 1 },
        { type: "delete", key: ["p07", "never"] },
      ],
    });
    await store.list({ prefix, limit: 10 });
    await store.list({ prefix, limit: 10, reverse: true, groupBy: 1 });
    await store.getMany([prefix, [...prefix, 3, 3]]);
    // Connections report their statistics at the latest when they end.
    await store.close();
    await expect.poll(async () => Number((await scans())?.["idx_scan"])).toBeGreaterThan(2_000);
    expect((await scans())?.["seq_scan"]).toBe(before?.["seq_scan"]);
  });
});
