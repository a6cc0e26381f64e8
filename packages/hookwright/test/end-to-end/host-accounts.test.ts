import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { openWorld } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { storages } from "./support/storages.ts";

useQuickScrypt();
const password = "correct horse battery";

/** Every row of a store that names a text in its key or in its value. */
async function findRows(store: Store, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const partition of partitions) {
    const entries = await store.list({ prefix: [partition], limit: 10_000 });
    for (const { key, value } of entries)
      if (key.includes(text) || value.includes(text)) found.push(key.join(" "));
  }
  return found;
}

describe.each(storages)("on $name, the host", (storage) => {
  it("lists accounts by status and by a part of name, address or id, page by page", async () => {
    await using world = await openWorld(storage);
    const { hookwright, host } = world;
    for (const [id, name] of [
      ["acc_2", "Two Bakers"],
      ["acc_3", "Three"],
    ] as const)
      await hookwright.accounts.put(id, { name, email: `${id}@bakery.example` });
    await hookwright.accounts.put("acc_3", { status: "suspended" });
    const ids = async (query: string) =>
      (await host(`GET /host/v1/accounts${query}`)).rows.map(({ id }) => id);
    expect(await ids("")).toEqual(["acc_1", "acc_2", "acc_3"]);
    expect(await ids("?status=suspended")).toEqual(["acc_3"]);
    expect(await ids("?q=BAKE")).toEqual(["acc_2", "acc_3"]);
    expect(await ids("?q=two%20b")).toEqual(["acc_2"]);
    expect(await ids("?q=nobody")).toEqual([]);
    const first = await host("GET /host/v1/accounts?limit=2");
    expect(first.rows.map(({ id }) => id)).toEqual(["acc_1", "acc_2"]);
    expect(await ids(`?limit=2&cursor=${first.meta.next_cursor}`)).toEqual(["acc_3"]);
    expect((await host(`GET /host/v1/accounts?q=a&cursor=${first.meta.next_cursor}`)).error?.code).toBe(
      "invalid_cursor",
    );
    expect((await host("GET /host/v1/accounts?status=gone")).error?.code).toBe("validation_failed");
    const one = await host("GET /host/v1/accounts/acc_3");
    expect([one.status, one.data]).toMatchObject([200, { id: "acc_3", status: "suspended" }]);
    expect((await host("GET /host/v1/accounts/acc_9")).error?.code).toBe("resource_not_found");
    expect((await world.ask("GET /host/v1/accounts")).error?.code).toBe("invalid_api_key");
  });

  it("creates a webhook of an account with a secret that it brings, and the audit log names the token", async () => {
    await using world = await openWorld(storage);
    const { host, receiver } = world;
    const input = {
      events: ["order.paid", "order.created"],
      target_url: `${receiver.origin}/host`,
      name: "Warehouse",
      headers: { Authorization: "Basic credential" },
      paused: true,
      signing_secret: "a secret of another sender".replaceAll(" ", "-"),
    };
    const created = await host("POST /host/v1/accounts/acc_1/webhooks", input);
    expect([created.status, created.data]).toMatchObject([
      201,
      {
        events: ["order.created", "order.paid"],
        name: "Warehouse",
        headers: ["Authorization"],
        status: "paused",
        verified: false,
        signing_secret: input.signing_secret,
        created_by: { type: "console", key_id: null },
      },
    ]);
    const again = await host("POST /host/v1/accounts/acc_1/webhooks", input);
    expect([again.status, again.data.id, again.data.signing_secret]).toEqual([
      200,
      created.data.id,
      undefined,
    ]);
    const audited = await host("GET /host/v1/audit?action=webhook.created&actor=host");
    expect(audited.rows).toMatchObject([{ account_id: "acc_1", target: { id: created.data.id } }]);
    for (const [path, body, code] of [
      ["acc_9", input, "resource_not_found"],
      ["acc_1", { ...input, events: ["order.unknown"] }, "unknown_event"],
      ["acc_1", { ...input, target_url: "ftp://example.com" }, "invalid_target_url"],
      ["acc_1", { ...input, headers: { Host: "a" } }, "validation_failed"],
      ["acc_1", { ...input, project_id: "site_of_another" }, "invalid_project"],
    ] as const)
      expect((await host(`POST /host/v1/accounts/${path}/webhooks`, body)).error?.code).toBe(code);
  });

  it("lists the webhooks of all accounts by status, and counts everything", async () => {
    await using world = await openWorld(storage, { endpointBackoffSeconds: 0 });
    const { hookwright, host } = world;
    const { id } = await world.subscribe("order.created");
    const paused = await world.subscribe("order.paid");
    const caller = { accountId: "acc_2", credential: { type: "console" } } as const;
    await hookwright.accounts.put("acc_2", { email: "two@example.com" });
    const other = await hookwright.webhooks.create(caller, {
      event: "order.created",
      target_url: `${world.receiver.origin}/two`,
    });
    await hookwright.webhooks.pause("acc_1", paused.id);
    const listed = async (query: string) =>
      (await host(`GET /host/v1/webhooks${query}`)).rows.map((row) => row.id).toSorted();
    expect(await listed("")).toEqual([id, paused.id, other.webhook.id].toSorted());
    expect((await host("GET /host/v1/webhooks?status=paused")).rows).toMatchObject([
      { id: paused.id, account_id: "acc_1", status: "paused", status_reason: "person" },
    ]);
    const first = await host("GET /host/v1/webhooks?limit=2");
    const rest = await host(`GET /host/v1/webhooks?limit=2&cursor=${first.meta.next_cursor}`);
    expect([...first.rows, ...rest.rows].map((row) => row.id).toSorted()).toEqual(await listed(""));
    expect((await host("GET /host/v1/webhooks?status=broken")).error?.code).toBe("validation_failed");
    const own = "GET /host/v1/webhooks?account_id=acc_1&limit=1";
    const cursor = (await host(own)).meta.next_cursor;
    expect((await host(`${own}&cursor=${cursor}`)).rows).toHaveLength(1);
    for (const route of [`${own}&status=active`, "GET /host/v1/webhooks?account_id=acc_2"])
      expect((await host(`${route}&cursor=${cursor}`)).error?.code).toBe("invalid_cursor");

    world.receiver.answerWith(500);
    await world.publishEvent("order.created", order("ord_1"));
    // Two attempts follow quickly, the third one an hour later.
    await expect.poll(() => world.receiver.received.length).toBe(3);
    world.advance(7_200_000);
    expect(await host("GET /host/v1/search?q=ORD_1")).toMatchObject({
      data: {
        accounts: [],
        webhooks: [],
        deliveries: [{ account_id: "acc_1", record_id: "ord_1", matched: "record_id" }],
      },
      meta: { has_more: false, next_cursor: null },
    });
    expect((await host("GET /host/v1/search?q=")).error?.code).toBe("validation_failed");
    expect((await host("GET /host/v1/stats")).data).toMatchObject({
      accounts: 2,
      webhooks: { active: 2, paused: 1, switched_off: 0 },
      deliveries: { pending: expect.any(Number) },
    });
  });

  it("removes an account: only its last entry of the audit log remains, and other accounts keep everything", async () => {
    await using world = await openWorld(storage);
    const { hookwright, host, store } = world;
    const addresses = ["one@example.com", "moved@example.com"] as const;
    await hookwright.accounts.put("acc_1", { email: addresses[1], password });
    await hookwright.accounts.put("acc_2", { email: "two@example.com", password });
    await hookwright.projects.put("site_other", { account_id: "acc_2", name: "Other" });
    await hookwright.apiKeys.create("acc_2", { name: "other" });
    const { token } = await hookwright.sessions.create({ email: addresses[1], password });
    const gone = await world.subscribe("order.paid");
    await world.ask(`DELETE /v1/webhooks/${gone.id}`);
    await world.subscribe("order.created");
    world.receiver.answerWith(500);
    for (const id of ["ord_1", "ord_2"]) await world.publishEvent("order.created", order(id));
    await expect.poll(() => world.receiver.received.length).toBeGreaterThanOrEqual(2);
    await world.ask("POST /developer/v1/listeners", { json: {} });
    await world.ask("GET /console/api/webhooks", { token });
    const others = await findRows(store, "acc_2");
    for (const address of addresses)
      expect(await findRows(store, address)).toContainEqual(expect.stringContaining(" audit-log "));

    const removed = await host("DELETE /host/v1/accounts/acc_1");
    expect([removed.status, removed.data]).toEqual([200, { id: "acc_1", deleted: true }]);
    // Only the audit log still has the id: who deleted the account.
    const rest = await findRows(store, "acc_1");
    expect(rest.map((key) => key.split(" ")[1]).toSorted()).toEqual(["audit-after-account", "audit-log"]);
    const audit = async () => JSON.parse((await host("GET /host/v1/audit?account_id=acc_1")).text).data;
    expect(await audit()).toMatchObject([{ action: "account.deleted", actor: { kind: "host" } }]);
    for (const address of addresses) expect(await findRows(store, address)).toEqual([]);
    expect(await findRows(store, "acc_2")).toEqual(others);
    expect((await world.ask("GET /v1/me")).error?.code).toBe("invalid_api_key");
    expect((await world.ask("GET /console/api/webhooks", { token })).error?.code).toBe("invalid_api_key");
    expect((await host("DELETE /host/v1/accounts/acc_1")).error?.code).toBe("resource_not_found");
    // The id can be used again, and nothing of the old account comes back.
    await hookwright.accounts.put("acc_1", { email: "new@example.com" });
    expect((await hookwright.webhooks.list("acc_1")).rows).toEqual([]);
    expect(await audit()).toMatchObject([{ action: "account.created" }, { action: "account.deleted" }]);
  });
});
