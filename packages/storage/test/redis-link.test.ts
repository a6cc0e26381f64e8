import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Redis } from "ioredis";
import { describe, expect, it, vi } from "vitest";
import { createDownReason } from "../src/redis/down-reason.ts";
import { createArgumentWriter } from "../src/redis/argument-writer.ts";
import { commandsOf } from "../src/redis/commands-of.ts";
import { createLink } from "../src/redis/link.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";

async function openLink(url: string) {
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, lazyConnect: true });
  await client.connect();
  const createCommand = commandsOf(client);
  const downReason = createDownReason(client);
  const link = createLink({ client, createCommand, serverAddress: "here", downReason, timeoutMs: 3_000 });
  return { client, link };
}

function argumentsOf(...texts: string[]) {
  const writer = createArgumentWriter();
  for (const text of texts) writer.text(text);
  return writer.arguments();
}

describe.runIf(hasRedisServer)("a command on a broken connection that its client has not noticed", () => {
  it.each([1, 3])("waits for the next connection, and is sent once (%i together)", async (count) => {
    await using server = await startRedisServer();
    const { client, link } = await openLink(server.url);
    Object.defineProperty(client.stream, "writable", { value: false });
    const replies = Promise.all(Array.from({ length: count }, () => link.send("INCR", ["counter"])));
    await setImmediate();
    await setImmediate();
    client.disconnect(true);
    expect((await replies).toSorted()).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(server.run("get", "counter").trim()).toBe(String(count));
    link.close();
  });

  it("is sent again if it is read-only and was in flight", async () => {
    await using server = await startRedisServer();
    const { client, link } = await openLink(server.url);
    server.run("set", "word", "kept");
    // Blocks everything until the connection is closed.
    server.signal("SIGSTOP");
    const replies = [link.read("GET", ["word"]), link.read("GET", ["word"])];
    const changed = link.send("INCR", ["counter"]).catch((error: unknown) => error);
    await setImmediate();
    await setImmediate();
    client.stream.destroy();
    await once(client, "close");
    server.signal("SIGCONT");
    expect(await Promise.all(replies)).toEqual(["kept", "kept"]);
    // The outcome of a change is unknown, so it is not sent again.
    expect(await changed).toMatchObject({ code: "unavailable" });
    link.close();
  });

  it.each([
    ["the server has become a replica", true, "read_only_replica"],
    ["the reason is unknown", false, "unreachable"],
  ] as const)("reports, if it is a write, that %s", async (_, isReplica, reason) => {
    await using server = await startRedisServer();
    const { client, link } = await openLink(server.url);
    if (isReplica) server.run("replicaof", "127.0.0.1", "1");
    const first = await link.send("INCR", ["counter"]).catch((error: unknown) => error);
    if (isReplica) expect(first).toMatchObject({ reason });
    server.signal("SIGSTOP");
    const changed = link.send("INCR", ["counter"]).catch((error: unknown) => error);
    await setImmediate();
    await setImmediate();
    client.stream.destroy();
    expect(await changed).toMatchObject({ code: "unavailable", reason });
    server.signal("SIGCONT");
    link.close();
  });

  it("is sent again with its encoded arguments", async () => {
    await using server = await startRedisServer();
    const { client, link } = await openLink(server.url);
    server.run("set", "word", "kept");
    server.signal("SIGSTOP");
    const replies = link.read("MGET", ["word"], argumentsOf("none", "word"));
    await setImmediate();
    await setImmediate();
    client.stream.destroy();
    await once(client, "close");
    server.signal("SIGCONT");
    expect(await replies).toEqual(["kept", null, "kept"]);
    link.close();
  });

  it("is not sent a third time, because it may be what breaks the connection", async () => {
    await using server = await startRedisServer();
    const { client, link } = await openLink(server.url);
    server.run("config", "set", "client-output-buffer-limit", "normal 1000000 0 0");
    server.run("set", "large", "x".repeat(100_000));
    const script = "local all = {} for i = 1, 200 do all[i] = redis.call('get', 'large') end return all";
    let connections = 0;
    client.on("connect", () => (connections += 1));
    const refusal = link.read("EVAL", [script, "0"]).catch((error: unknown) => error);
    expect(await refusal).toMatchObject({ code: "unavailable" });
    expect(connections).toBeLessThanOrEqual(2);
    expect(await link.send("INCR", ["counter"])).toBe(1);
    link.close();
  });

  it("gets a reply that arrived in time, although the event loop was blocked beyond its deadline", async () => {
    await using server = await startRedisServer();
    const { link } = await openLink(server.url);
    const reply = link.send("INCR", ["counter"]);
    await setImmediate();
    await setImmediate();
    const blockedUntil = performance.now() + 3_200;
    while (performance.now() < blockedUntil);
    expect(await reply).toBe(1);
    link.close();
  });

  it("fails at its deadline if there is no connection", async () => {
    await using server = await startRedisServer();
    const { client, link } = await openLink(server.url);
    Object.defineProperty(client.stream, "writable", { value: false });
    const refusal = link.send("INCR", ["counter"]).catch((error: unknown) => error);
    await setImmediate();
    await server.kill9();
    expect(await refusal).toMatchObject({ code: "unavailable" });
    link.close();
  });
});

describe.runIf(hasRedisServer)("commands within one iteration of the event loop", () => {
  it("are one write", async () => {
    await using server = await startRedisServer();
    const { client, link } = await openLink(server.url);
    const [one, several] = [vi.spyOn(client.stream, "_write"), vi.spyOn(client.stream, "_writev")];
    const rest = argumentsOf("one", "é".repeat(100_000));
    const replies = [
      link.send("SET", ["a"], argumentsOf("1")),
      link.read("GET", ["a"]),
      link.send("HSET", ["b"], rest),
    ];
    expect(await Promise.all(replies)).toEqual(["OK", "1", 1]);
    expect(server.run("hstrlen", "b", "one").trim()).toBe("200000");
    expect([one.mock.calls.length, several.mock.calls.length]).toEqual([0, 1]);
    link.close();
  });

  it("succeed if the client throws for one of them", async () => {
    await using server = await startRedisServer();
    const { client, link } = await openLink(server.url);
    const sendCommand = client.sendCommand.bind(client);
    vi.spyOn(client, "sendCommand").mockImplementation((command) => {
      if (command.args[0] === "refused") throw new Error("a wrapper has failed");
      return sendCommand(command);
    });
    const replies = ["a", "refused", "b"].map((key) => link.send("INCR", [key]));
    expect(await Promise.allSettled(replies)).toMatchObject([
      { value: 1 },
      { reason: { code: "unavailable", cause: { message: "a wrapper has failed" } } },
      { value: 1 },
    ]);
    expect(await link.send("INCR", ["a"])).toBe(2);
    link.close();
  });
});
