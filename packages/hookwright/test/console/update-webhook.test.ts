import { memoryStore } from "@hookwright/storage/memory";
import { verifySync } from "@hookwright/signature/node";
import { describe, expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";

const gateway = "Basic Z2F0ZXdheTpzZWNyZXQ=";

describe("PATCH of a webhook", () => {
  it("changes the fields that are sent, and keeps the others and the secret", async () => {
    await using world = await openConsole();
    const { path, secret } = await world.createWebhook();
    const before = (await world.ask(`GET ${path}`)).data;
    const named = await world.ask(`PATCH ${path}`, { name: "Warehouse" });
    expect([named.status, named.data]).toEqual([200, { ...before, name: "Warehouse" }]);
    const moved = await world.ask(`PATCH ${path}`, {
      target_url: `${world.origin}/moved`,
      project_id: "site_1",
    });
    expect(moved.data).toEqual({
      ...before,
      name: "Warehouse",
      target_url: `${world.origin}/moved`,
      project_id: "site_1",
    });
    expect((await world.ask(`PATCH ${path}`, {})).data).toEqual(moved.data);
    expect((await world.ask(`PATCH ${path}`, { name: " ", target_url: "" })).data).toEqual(moved.data);
    // Only null means something else than "left out".
    expect((await world.ask(`PATCH ${path}`, { name: null, project_id: null })).data).toMatchObject({
      name: null,
      project_id: null,
    });
    expect((await world.ask(`GET ${path}`)).data["target_url"]).toBe(`${world.origin}/moved`);
    await world.publish("rev_1");
    await world.settled();
    const [sent] = world.received;
    if (sent === undefined) throw new Error("no delivery arrived");
    expect(verifySync({ ...sent, secrets: secret }).id).toBe("review.submitted_rev_1");
  });

  it("sends retries of pending deliveries to the new URL", async () => {
    await using world = await openConsole({ retryDelaysSeconds: [0.3] });
    await using other = await openConsole();
    const { path } = await world.createWebhook();
    world.answerWith(500);
    await world.publish("rev_1");
    await world.settled();
    await world.ask(`PATCH ${path}`, { target_url: `${other.origin}/hooks` });
    await expect.poll(() => other.received.length).toBe(1);
    expect(world.received).toHaveLength(1);
  });

  it("refuses what creation refuses, and a URL that another webhook of the event has", async () => {
    await using world = await openConsole();
    const { path } = await world.createWebhook();
    await world.createWebhook("/taken");
    const codeOf = async (body: unknown) => {
      const { status, code } = await world.ask(`PATCH ${path}`, body);
      return [status, code];
    };
    expect(await codeOf({ target_url: "ftp://example.com/" })).toEqual([422, "invalid_target_url"]);
    expect(await codeOf({ project_id: "site_x" })).toEqual([422, "invalid_project"]);
    expect(await codeOf({ name: "x".repeat(101) })).toEqual([422, "validation_failed"]);
    expect(await codeOf({ headers: ["a"] })).toEqual([422, "validation_failed"]);
    expect(await codeOf({ headers: { Host: "a" } })).toEqual([422, "validation_failed"]);
    expect(await codeOf({ target_url: `${world.origin}/taken#same` })).toEqual([409, "invalid_state"]);
    expect(await codeOf({ target_url: `${world.origin}/hooks` })).toEqual([200, undefined]);
    const unknown = await world.ask("PATCH /console/api/webhooks/wh_unknown", { name: "a" });
    expect([unknown.status, unknown.code]).toEqual([404, "resource_not_found"]);
  });

  it("and a creation at the same time never give two webhooks of an event with one URL", async () => {
    await using world = await openConsole();
    const { path } = await world.createWebhook();
    const [changed] = await Promise.all([
      world.ask(`PATCH ${path}`, { target_url: `${world.origin}/wanted` }),
      world.createWebhook("/wanted"),
    ]);
    const { rows } = await world.ask("GET /console/api/webhooks");
    const wanted = rows.filter((row) => row["target_url"] === `${world.origin}/wanted`);
    expect(wanted).toHaveLength(1);
    expect([200, 409]).toContain(changed.status);
  });
});

describe("the owner's own headers", () => {
  it("are sent with every attempt, resend and test, and only their names are returned", async () => {
    await using world = await openConsole();
    const { path, secret } = await world.createWebhook();
    const headers = { Authorization: gateway, "X-Tenant": "bakery" };
    const changed = await world.ask(`PATCH ${path}`, { headers });
    expect(changed.data["headers"]).toEqual(["Authorization", "X-Tenant"]);

    world.answerWith(500);
    const [delivery] = await world.publish("rev_1");
    await expect.poll(() => world.received.length).toBe(2);
    world.answerWith(204);
    await world.ask(`POST /console/api/deliveries/${delivery}/resend`);
    await expect.poll(() => world.received.length).toBe(3);
    await world.ask(`POST ${path}/test`);
    expect(world.received).toHaveLength(4);
    for (const received of world.received) {
      expect(received.headers).toMatchObject({ authorization: gateway, "x-tenant": "bakery" });
      expect(verifySync({ ...received, secrets: secret }).event).toBe("review.submitted");
    }

    const logged = await world.ask(`GET /console/api/deliveries/${delivery}`);
    expect(JSON.stringify(logged.data)).toContain('"Authorization":"(not stored)"');
    const shown = [logged.data, (await world.ask("GET /console/api/webhooks")).rows, changed.data];
    expect(JSON.stringify(shown)).not.toContain(gateway);
  });

  it("are encrypted in the store: no row contains a value", async () => {
    const store = memoryStore();
    await using world = await openConsole({ store });
    const { path } = await world.createWebhook();
    await world.ask(`PATCH ${path}`, { headers: { Authorization: gateway } });
    await world.publish("rev_1");
    await world.settled();
    await world.ask(`POST ${path}/test`);
    const rows: string[] = [];
    for (let partition = 0; partition < 64; partition++) {
      const prefix = [`p${String(partition).padStart(2, "0")}`] as const;
      for (const { value } of await store.list({ prefix, limit: 1_000 })) rows.push(value);
    }
    expect(rows.join("\n")).toContain('"names":["Authorization"]');
    expect(rows.join("\n")).not.toContain(gateway);
  });

  it("stay when the secret is rotated, are replaced as a whole, and are removed by {}", async () => {
    await using world = await openConsole();
    const { path } = await world.createWebhook();
    await world.ask(`PATCH ${path}`, { headers: { Authorization: gateway, "X-Tenant": "bakery" } });
    await world.ask(`POST ${path}/rotate`);
    expect((await world.ask(`POST ${path}/rotate/finish`)).data["headers"]).toHaveLength(2);
    const sentNames = async (): Promise<string[]> => {
      await world.ask(`POST ${path}/test`);
      const names = Object.keys(world.received.at(-1)?.headers ?? {});
      return names.filter((name) => ["authorization", "x-tenant", "x-other"].includes(name));
    };
    expect(await sentNames()).toEqual(["authorization", "x-tenant"]);
    await world.ask(`PATCH ${path}`, { headers: { "X-Other": "1" } });
    expect(await sentNames()).toEqual(["x-other"]);
    expect((await world.ask(`PATCH ${path}`, { headers: null })).data["headers"]).toEqual(["X-Other"]);
    expect((await world.ask(`PATCH ${path}`, { headers: {} })).data["headers"]).toEqual([]);
    expect(await sentNames()).toEqual([]);
  });

  it.each([
    ["host", (origin: string) => origin.replace("127.0.0.1", "127.0.0.2")],
    ["port", (origin: string) => origin.replace(/:\d+$/u, ":9443")],
    ["scheme", (origin: string) => origin.replace("http:", "https:")],
  ])("do not follow the URL to another %s unless they are sent again", async (_, toOther) => {
    await using world = await openConsole();
    const { path } = await world.createWebhook();
    await world.ask(`PATCH ${path}`, { headers: { Authorization: gateway } });
    const here = `${world.origin}/moved`;
    const elsewhere = toOther(world.origin);
    expect((await world.ask(`PATCH ${path}`, { target_url: here })).status).toBe(200);
    const refused = await world.ask(`PATCH ${path}`, { target_url: elsewhere });
    expect([refused.status, refused.code]).toEqual([422, "validation_failed"]);
    expect((await world.ask(`GET ${path}`)).data["target_url"]).toBe(here);
    const moved = await world.ask(`PATCH ${path}`, { target_url: elsewhere, headers: { "X-Other": "1" } });
    expect([moved.status, moved.data["headers"]]).toEqual([200, ["X-Other"]]);
    expect((await world.ask(`PATCH ${path}`, { target_url: here, headers: {} })).status).toBe(200);
    expect((await world.ask(`PATCH ${path}`, { target_url: elsewhere })).status).toBe(200);
  });

  it("do not appear in errors or log lines", async () => {
    const lines: string[] = [];
    const write = (...parts: unknown[]): void => void lines.push(JSON.stringify(parts));
    const logger = { info: write, warn: write, error: write };
    await using world = await openConsole({ logger });
    const { path } = await world.createWebhook();
    const refused = await world.hookwright.webhooks
      .update("acc_1", path.split("/").at(-1) ?? "", { headers: { Host: gateway, "X-A": `${gateway}\n` } })
      .catch(String);
    expect(refused).toContain("headers.Host: is set by the sender; headers.X-A: must be visible ASCII");
    expect(`${String(refused)}${lines.join("")}`).not.toContain(gateway);
  });
});
