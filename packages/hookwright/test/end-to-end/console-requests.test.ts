import { describe, expect, it } from "vitest";
import { openSession } from "../support/open-session.ts";
import { openWorld } from "./support/open-world.ts";
import { memory } from "./support/storages.ts";

/** A console session, and what it reads of the request log. */
async function openConsole() {
  const world = await openWorld(memory);
  const token = await openSession(world.hookwright);
  const read = (query = "") => world.ask(`GET /console/api/requests?${query}`, { token });
  return Object.assign(world, {
    token,
    read,
    /** `<method> <path> <status>` of each request, newest first. */
    requests: async (query = ""): Promise<readonly string[]> =>
      JSON.parse((await read(query)).text).data.map(
        ({ method, path, status }: Readonly<Record<string, unknown>>) => `${method} ${path} ${status}`,
      ),
  });
}

describe("the request log of the console", () => {
  it("has filters, and cursors that are valid under the same filters", async () => {
    await using world = await openConsole();
    const { ask, hookwright } = world;
    const { id: otherId, api_key: other } = await hookwright.apiKeys.create("acc_1", { name: "other" });
    await ask("GET /v1/me");
    await ask("GET /v1/orders/ord_1");
    await ask("POST /v1/webhooks", { json: {} });
    await ask("GET /v1/orders", { token: other });
    const all = ["GET /v1/orders 200", "POST /v1/webhooks 422", "GET /v1/orders/ord_1 404", "GET /v1/me 200"];
    expect(await world.requests()).toEqual(all);
    expect(await world.requests(`key_id=${otherId}`)).toEqual(all.slice(0, 1));
    expect(await world.requests("method=POST")).toEqual(all.slice(1, 2));
    expect(await world.requests("status=2xx")).toEqual([all[0], all[3]]);
    expect(await world.requests("status=4xx")).toEqual([all[1], all[2]]);
    expect(await world.requests("status=5xx")).toEqual([]);
    expect(await world.requests("status=404")).toEqual([all[2]]);
    expect(await world.requests("path=/v1/orders")).toEqual([all[0], all[2]]);
    expect(await world.requests("path=/v1/orders&status=4xx&method=GET")).toEqual([all[2]]);
    expect(await world.requests("status=&method=&path=&key_id=")).toEqual(all);

    const { meta } = await world.read("status=4xx&limit=1");
    const next = `limit=1&cursor=${meta.next_cursor}`;
    expect(await world.requests(`${next}&status=4xx`)).toEqual([all[2]]);
    expect((await world.read(next)).error?.code).toBe("invalid_cursor");
    expect((await world.read(`${next}&status=404`)).error?.code).toBe("invalid_cursor");
    const { status, error } = await world.read("status=many");
    expect([status, error?.code]).toEqual([422, "validation_failed"]);
  });

  it("counts the requests of each class under the same filters, and those of a period over time", async () => {
    await using world = await openConsole();
    const { ask } = world;
    const count = async (query = "") => {
      const { text, status, error } = await ask(`GET /console/api/requests/counts?${query}`, {
        token: world.token,
      });
      return { status, code: error?.code, counts: JSON.parse(text).data };
    };
    await ask("GET /v1/me");
    await ask("GET /v1/orders/ord_1");
    await ask("POST /v1/webhooks", { json: {} });
    await ask("GET /v1/me", { token: world.token });
    const all = { all: 3, ok: 1, client_error: 2, server_error: 0, rate_limited: 0 };
    const none = { all: 0, ok: 0, client_error: 0, server_error: 0, rate_limited: 0 };
    expect((await count()).counts).toEqual(all);
    expect((await count("status=4xx&method=&limit=5")).counts).toEqual({ ...all, all: 2, ok: 0 });
    expect((await count("path=/v1/orders")).counts).toEqual({ ...none, all: 1, client_error: 1 });
    expect((await count("key_id=key_none")).counts).toEqual(none);
    expect((await count("until=2020-01-01T00:00:00Z")).counts).toEqual(none);
    const { series, step_seconds, ...sums } = (await count("period=24h&since=2020-01-01T00:00:00Z")).counts;
    expect([sums, step_seconds, series.length]).toEqual([all, 900, 96]);
    const totalOf = (name: string) =>
      series.reduce((sum: number, bucket: Readonly<Record<string, number>>) => sum + (bucket[name] ?? 0), 0);
    expect([totalOf("ok"), totalOf("client_error"), totalOf("server_error")]).toEqual([1, 2, 0]);
    for (const query of [
      "period=1y",
      "status=many",
      "since=yesterday",
      "until=tomorrow",
      "method=GET&method=PUT",
    ]) {
      const { status, code } = await count(query);
      expect([query, status, code]).toEqual([query, 422, "validation_failed"]);
    }
    expect((await ask("GET /console/api/requests/counts")).status).toBe(401);
  });

  it("shows the rate limit, and counts no request for it", async () => {
    await using world = await openConsole();
    const { ask, token } = world;
    const read = async () => JSON.parse((await ask("GET /console/api/rate-limit", { token })).text).data;
    const before = await read();
    await ask("GET /v1/me");
    const after = await read();
    expect([after.limit, after.remaining]).toEqual([before.limit, before.remaining - 1]);
    expect(after.reset_seconds).toBeGreaterThan(0);
    expect(await read()).toMatchObject({ remaining: after.remaining });
  });

  it("does not list the console's own calls, nor calls of `/v1` with a console token", async () => {
    await using world = await openConsole();
    const { token, ask } = world;
    await ask("GET /v1/me", { token });
    await ask("GET /v1/orders/ord_1", { token });
    await ask("GET /developer/v1/deliveries", { token });
    await ask("GET /console/api/keys", { token });
    await ask("POST /console/api/webhooks", { token, json: {} });
    await ask("GET /v1/me");
    expect(await world.requests()).toEqual(["GET /v1/me 200"]);
    expect(await world.requests("path=/console")).toEqual([]);
    const { headers } = await ask("GET /v1/orders/ord_unknown?secret=1");
    const { rows, text } = await world.read("limit=1");
    const row = { id: headers.get("x-request-id"), error_code: "resource_not_found", key_name: "test" };
    expect(rows).toMatchObject([row]);
    expect(text).not.toMatch(/hwk_|secret/u);
  });
});
