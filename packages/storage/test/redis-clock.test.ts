import { describe, expect, it, vi } from "vitest";
import type { Key } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";

const key: Key = ["p05", "lease"];
const onWarning = (): void => {};

describe.runIf(hasRedisServer)("the clock of a Redis store", () => {
  it.each([-3_600_000, 3_600_000])(
    "is that of the server, even if the client's clock is %d ms ahead",
    async (aheadMs) => {
      await using server = await startRedisServer();
      await using store = await openRedisStore({ url: server.url, sweepIntervalMs: 3_600_000, onWarning });
      const serverTime = Number(server.run("time").split("\n")[0]) * 1_000;
      vi.spyOn(Date, "now").mockReturnValue(serverTime + aheadMs);
      const expired: Key = ["p05", "expired"];
      await store.commit("p05", {
        mutations: [
          { type: "set", key, value: "worker", expiresInMs: 60_000 },
          { type: "set", key: expired, value: "", expiresAt: serverTime - 60_000 },
        ],
      });
      expect(await store.getMany([key, expired])).toEqual(["worker", undefined]);
      expect(await store.list({ prefix: ["p05"], limit: 9 })).toEqual([{ key, value: "worker" }]);
      expect(
        await store.commit("p05", {
          checks: [
            { key, value: "worker" },
            { key: expired, value: undefined },
          ],
          mutations: [],
        }),
      ).toEqual({ ok: true });
      vi.restoreAllMocks();
    },
  );

  it("must be readable: a user who may not call TIME is rejected at the start", async () => {
    await using server = await startRedisServer();
    const rights = ["+@read", "+@write", "+@scripting", "+@pubsub", "+@connection", "+info", "~*", "&*"];
    server.run("acl", "setuser", "worker", "on", ">password", ...rights);
    const url = server.url.replace("//", "//worker:password@");
    await expect(openRedisStore({ url, onWarning })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/time.*Extend the ACL/u),
    });
  });
});
