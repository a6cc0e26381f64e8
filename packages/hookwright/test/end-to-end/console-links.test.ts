import { describe, expect, it } from "vitest";
import { openWorld } from "./support/open-world.ts";
import { storages } from "./support/storages.ts";

const sessions = "POST /host/v1/accounts/acc_1/console-sessions";

describe.each(storages)("on $name, a link to the console", (storage) => {
  it("opens one session although many requests use it", async () => {
    await using world = await openWorld(storage);
    const created = await world.host(sessions);
    expect([created.status, created.data]).toMatchObject([
      201,
      { url: expect.stringMatching(/^\/console#\/link\/hwl_[\w-]{43}$/u) },
    ]);
    const { url } = JSON.parse(created.text).data;
    const code = url.slice(url.lastIndexOf("/") + 1);
    const exchange = () => world.ask("POST /console/api/session/link", { token: null, json: { code } });
    const tries = await Promise.all(Array.from({ length: 5 }, exchange));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
    expect((await exchange()).error?.code).toBe("invalid_credentials");
  });

  it("expires", async () => {
    await using world = await openWorld(storage);
    const { url } = await world.hookwright.sessions.createLink("acc_1", { ttl_seconds: 30 });
    const json = { code: url.slice(url.lastIndexOf("/") + 1) };
    world.advance(30_000);
    const late = await world.ask("POST /console/api/session/link", { token: null, json });
    expect([late.status, late.error?.code]).toEqual([401, "invalid_credentials"]);
  });
});
