import { afterAll, describe, expect, it } from "vitest";
import type { Key, Store } from "@hookwright/storage";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";

const one: Key = ["p05", "fresh", "ü\0😀", 1];
const elsewhere: Key = ["p61", "fresh", 2];

/** Starts a watch and resolves when the connection listens. Earlier notifications are dropped. */
async function watch(store: Store) {
  const received: (readonly Key[] | undefined)[] = [];
  const unwatch = store.watch((keys) => received.push(keys));
  await expect.poll(() => received).toEqual([undefined]);
  received.length = 0;
  return { received, unwatch };
}

describe.runIf(hasPostgresServer)("notifications of other processes", async () => {
  if (!hasPostgresServer) return;
  const server = await startPostgresServer();
  afterAll(() => server[Symbol.asyncDispose]());
  let opened = 0;
  const schemas = () => `notify_${opened++}`;
  const listeners = async () =>
    (await server.run("select pid from pg_stat_activity where query ilike 'listen %' or query = 'select 1'"))
      .length;
  const cutListeners = () =>
    server.run("select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'");

  it("name the keys of the commits", async () => {
    const schema = schemas();
    await using watcher = await openPostgresStore({ url: server.url, schema });
    await using other = await openPostgresStore({ url: server.url, schema });
    const { received } = await watch(watcher);
    await other.commit("p05", { mutations: [], notify: [one] });
    await other.commit("p61", { mutations: [], notify: [elsewhere] });
    // One message may name the keys of several commits.
    await expect.poll(() => received.flat()).toEqual([one, elsewhere]);
  });

  it("reach only stores of the same schema", async () => {
    const schema = schemas();
    await using watcher = await openPostgresStore({ url: server.url, schema });
    await using same = await openPostgresStore({ url: server.url, schema });
    await using other = await openPostgresStore({ url: server.url, schema: schemas() });
    const { received } = await watch(watcher);
    await other.commit("p05", { mutations: [], notify: [one] });
    await same.commit("p61", { mutations: [], notify: [elsewhere] });
    await expect.poll(() => received).toEqual([[elsewhere]]);
  });

  it("of a rejected commit reach nobody", async () => {
    const schema = schemas();
    await using watcher = await openPostgresStore({ url: server.url, schema });
    await using other = await openPostgresStore({ url: server.url, schema });
    const { received } = await watch(watcher);
    await Promise.all([
      other.commit("p05", { checks: [{ key: one, value: "" }], mutations: [], notify: [one] }),
      other.commit("p61", { mutations: [], notify: [elsewhere] }),
    ]);
    await expect.poll(() => received).toEqual([[elsewhere]]);
  });

  it("have no keys if there are too many for a message of PostgreSQL", async () => {
    const schema = schemas();
    await using watcher = await openPostgresStore({ url: server.url, schema });
    await using other = await openPostgresStore({ url: server.url, schema });
    const { received } = await watch(watcher);
    const notify = Array.from({ length: 1_000 }, (_, number): Key => ["p05", "fresh", "ü", number]);
    await other.commit("p05", { mutations: [], notify });
    await expect.poll(() => received).toEqual([undefined]);
  });

  it("may be lost with the connection. Every listener is notified of that", async () => {
    const schema = schemas();
    await using watcher = await openPostgresStore({ url: server.url, schema });
    await using other = await openPostgresStore({ url: server.url, schema });
    const first = await watch(watcher);
    const second: unknown[] = [];
    watcher.watch((keys) => second.push(keys));
    await cutListeners();
    await expect.poll(() => [first.received, second]).toEqual([[undefined], [undefined]]);
    await other.commit("p05", { mutations: [], notify: [one] });
    await expect.poll(() => first.received).toEqual([undefined, [one]]);
  });

  it("use no connection after the last watch has ended", async () => {
    await using watcher = await openPostgresStore({ url: server.url, schema: schemas() });
    const first = await watch(watcher);
    watcher.watch(() => {})();
    expect(await listeners()).toBe(1);
    first.unwatch();
    await expect.poll(listeners).toBe(0);
    await watch(watcher);
    expect(await listeners()).toBe(1);
  });
});
