import { describe, expect, it } from "vitest";
import type { Key } from "../src/port.ts";
import { openRedisStore } from "../src/redis.ts";
import { callsOf, hasRedisServer, startRedisServer, type RedisServer } from "./support/redis-server.ts";

/** Returns how many bytes the server has sent since its start. */
function bytesSentBy(server: RedisServer): number {
  return Number(/total_net_output_bytes:(\d+)/u.exec(server.run("info", "stats"))?.[1]);
}

describe.runIf(hasRedisServer)("reads of one row within one iteration of the event loop", () => {
  const large: Key = ["p05", "large"];
  const small: Key = ["p05", "small"];
  const absent: Key = ["p05", "absent"];
  const text = "x".repeat(256 * 1024);
  const mutations = [
    { type: "set", key: large, value: text },
    { type: "set", key: small, value: "1" },
  ] as const;

  it("transfer it once", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await store.commit("p05", { mutations });
    const before = bytesSentBy(server);
    const reads = await Promise.all([
      store.getMany([absent, large, small, large]),
      ...Array.from({ length: 32 }, () => store.getMany([["p05", "large"], small])),
    ]);
    const sent = bytesSentBy(server) - before;
    expect(reads).toEqual([[undefined, text, "1", text], ...Array.from({ length: 32 }, () => [text, "1"])]);
    expect(sent).toBeGreaterThan(text.length);
    expect(sent).toBeLessThan(2 * text.length);
  });

  it("find the right texts after a read with an invalid key", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await store.commit("p05", { mutations });
    const [first, refused, ...others] = await Promise.allSettled([
      store.get(small),
      store.getMany([large, small, ["p05", 0.5]]),
      store.getMany([absent, large]),
      store.getMany([large, small, absent]),
    ]);
    expect(first).toMatchObject({ value: "1" });
    expect(refused).toMatchObject({ reason: { code: "invalid_key" } });
    expect(others).toMatchObject([{ value: [undefined, text] }, { value: [text, "1", undefined] }]);
  });

  it("are one call with many other rows", async () => {
    await using server = await startRedisServer();
    await using store = await openRedisStore({ url: server.url });
    await store.commit("p05", { mutations });
    // The server learns the script with the first call.
    await store.get(small);
    const before = callsOf(server, "evalsha");
    const keys = Array.from({ length: 2_000 }, (_, row): Key => ["p05", row]);
    const texts = await store.getMany(keys.flatMap((key) => [small, key, small]));
    expect(texts).toEqual(keys.flatMap(() => ["1", undefined, "1"]));
    expect(callsOf(server, "evalsha") - before).toBe(1);
  });
});
