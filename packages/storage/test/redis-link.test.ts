import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { createDownReason } from "../src/redis/down-reason.ts";
import { createLink } from "../src/redis/link.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";

async function openLink(url: string) {
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, lazyConnect: true });
  await client.connect();
  const link = createLink({ client, place: "here", downReason: createDownReason(client), timeoutMs: 3_000 });
  return { client, link };
}

describe.runIf(hasRedisServer)(
  "a command that meets a broken connection, of which its client knows nothing yet",
  () => {
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

    it("is asked again where it changes nothing, if it was on its way", async () => {
      await using server = await startRedisServer();
      const { client, link } = await openLink(server.url);
      server.run("set", "word", "kept");
      // Holds all back until the connection is gone.
      server.signal("SIGSTOP");
      const asked = [link.read("GET", ["word"]), link.read("GET", ["word"])];
      const changed = link.send("INCR", ["counter"]).catch((error: unknown) => error);
      await setImmediate();
      await setImmediate();
      client.stream.destroy();
      await once(client, "close");
      server.signal("SIGCONT");
      expect(await Promise.all(asked)).toEqual(["kept", "kept"]);
      // Whether a change has happened is not known, so it is not made twice.
      expect(await changed).toMatchObject({ code: "unavailable" });
      link.close();
    });

    it("is not asked a third time: it may be what breaks the connection", async () => {
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

    it("is refused at its deadline where there is none", async () => {
      await using server = await startRedisServer();
      const { client, link } = await openLink(server.url);
      Object.defineProperty(client.stream, "writable", { value: false });
      const refusal = link.send("INCR", ["counter"]).catch((error: unknown) => error);
      await setImmediate();
      await server.kill9();
      expect(await refusal).toMatchObject({ code: "unavailable" });
      link.close();
    });
  },
);
