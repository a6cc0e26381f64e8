import { afterAll, describe, expect, it } from "vitest";
import { runStoreContract } from "@hookwright/storage/contract";
import { openRedisStore } from "@hookwright/storage/redis";
import { hasRedisServer } from "./support/redis-server.ts";
import { startRedisCluster } from "./support/redis-cluster.ts";

describe.runIf(hasRedisServer)("on a Cluster of three masters", async () => {
  const cluster = hasRedisServer ? await startRedisCluster() : undefined;
  afterAll(() => cluster?.[Symbol.asyncDispose]());
  const url = cluster?.url ?? "";
  let opened = 0;

  await runStoreContract(({ now }) =>
    openRedisStore({ url, now, prefix: `contract-${opened++}`, sweepIntervalMs: 50 }),
  );

  it("refuses only the commit that a slot migration stops, and the one before it is applied", async () => {
    await using store = await openRedisStore({ url, prefix: "moving", onWarning: () => {} });
    const [one, two] = [["p05", "one"] as const, ["p05", "two"] as const];
    await store.commit("p05", {
      mutations: [{ type: "set", key: one, value: "1", expiresInMs: 60_000 }],
    });
    const nodes = cluster?.nodes ?? [];
    const slot = nodes[0]?.run("cluster", "keyslot", "{moving:p05}:rows").trim() ?? "";
    const owner = nodes.find((node) => node.run("exists", "{moving:p05}:rows").trim() === "1");
    const other = nodes.find((node) => node !== owner);
    const idOf = (node: typeof owner): string => node?.run("cluster", "myid").trim() ?? "";
    other?.run("cluster", "setslot", slot, "importing", idOf(owner));
    owner?.run("cluster", "setslot", slot, "migrating", idOf(other));
    const [first, second] = await Promise.allSettled([
      store.commit("p05", { mutations: [{ type: "delete", key: one }] }),
      store.commit("p05", { mutations: [{ type: "set", key: two, value: "2" }] }),
    ]);
    other?.run("cluster", "setslot", slot, "stable");
    owner?.run("cluster", "setslot", slot, "stable");
    expect(first).toEqual({ status: "fulfilled", value: { ok: true } });
    expect(second).toMatchObject({
      status: "rejected",
      reason: { code: "unavailable", message: expect.stringContaining("Nothing of it was written") },
    });
    expect(await store.list({ prefix: ["p05"], limit: 9 })).toEqual([]);
  });
});
