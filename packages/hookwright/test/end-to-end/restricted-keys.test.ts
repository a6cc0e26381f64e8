import { describe, expect, it } from "vitest";
import { openSession } from "../support/open-session.ts";
import { openEventStream } from "./support/event-stream.ts";
import { openWorld } from "./support/open-world.ts";
import type { Answered, World } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { hostsOwn, memory } from "./support/storages.ts";

const dayMs = 24 * 60 * 60 * 1_000;

async function createKey(
  world: World,
  input: object,
): Promise<{ readonly id: string; readonly token: string }> {
  const { id, api_key: token } = await world.hookwright.apiKeys.create("acc_1", { name: "Tool", ...input });
  return { id, token };
}

function idsOf({ rows }: Pick<Answered, "rows">): readonly string[] {
  return rows.map(({ id }) => id);
}

describe("a key", () => {
  it("has the rights, the site and the end that it was created with, and by default all and none", async () => {
    await using world = await openWorld(memory);
    const token = await openSession(world.hookwright);
    const expires_at = new Date(Date.now() + dayMs).toISOString().replace(/\.\d+/u, "");
    const limits = { rights: ["write", "read", "read"], project_id: "site_1", expires_at };
    const json = { name: "Sync", ...limits };
    const created = await world.ask("POST /console/api/keys", { token, json });
    expect([created.status, created.data]).toMatchObject([201, { ...limits, rights: ["read", "write"] }]);
    const ofHost = await world.host("POST /host/v1/accounts/acc_1/api-keys", { name: "Site", ...limits });
    expect(ofHost.data).toMatchObject({ ...limits, rights: ["read", "write"] });
    const { rows } = await world.ask("GET /console/api/keys", { token });
    expect(rows).toMatchObject([
      { name: "Site", project_id: "site_1", expires_at },
      { name: "Sync", rights: ["read", "write"] },
      { name: "test", rights: ["read", "webhooks", "write"], project_id: null, expires_at: null },
    ]);
    const exported = await world.hookwright.fetch(
      new Request("http://localhost/console/api/keys/export?format=csv", {
        headers: { authorization: `Bearer ${token}` },
      }),
    );
    expect(await exported.text()).toContain(`read write,site_1,${expires_at}`);
    const audited = await world.host("GET /host/v1/audit?action=api_key.created");
    expect(audited.rows).toMatchObject([
      {
        changes: [
          { field: "rights", old: null, new: "read, write" },
          { field: "project_id", old: null, new: "site_1" },
          { field: "expires_at", old: null, new: expires_at },
        ],
      },
      {},
      { changes: [{ field: "rights", old: null, new: "read, webhooks, write" }] },
    ]);
  });

  it.each([
    [{ rights: ["admin"] }, "rights.0: must be one of read, webhooks, write"],
    [{ rights: "read" }, "rights: must be a list"],
    [{ project_id: "site_x" }, "project_id: is not one of the account's sites"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at: must be in the future"],
    [
      { expires_at: "2999-01-01T00:00:00Z" },
      "expires_at: must be at most ten years from now. Leave it out for a key without end",
    ],
    [
      { rights: ["admin"], project_id: "site_x", expires_at: "2020-01-01T00:00:00Z" },
      "rights.0: must be one of read, webhooks, write; expires_at: must be in the future; project_id: is not one of the account's sites",
    ],
  ])("with %j is refused", async (input, message) => {
    await using world = await openWorld(memory);
    const json = { name: "Wrong", ...input };
    const { status, error } = await world.host("POST /host/v1/accounts/acc_1/api-keys", json);
    expect([status, error]).toEqual([422, { code: "validation_failed", message }]);
  });

  it("without a right is told which one is missing, and which it has", async () => {
    await using world = await openWorld(memory);
    const { token } = await createKey(world, { rights: ["read"] });
    const json = { event: "order.created", target_url: `${world.receiver.origin}/a` };
    const { status, error } = await world.ask("POST /v1/webhooks", { token, json });
    expect([status, error]).toEqual([
      403,
      {
        code: "forbidden",
        message: 'This needs the right "webhooks", but the API key "Tool" has only "read".',
      },
    ]);
  });

  it("that has expired is invalid everywhere, also on open streams, and its webhooks stay", async () => {
    await using world = await openWorld(memory);
    const { id, token } = await createKey(world, { expires_at: new Date(Date.now() + dayMs).toISOString() });
    const json = { event: "order.created", target_url: `${world.receiver.origin}/hooks` };
    await world.ask("POST /v1/webhooks", { token, json });
    const listener = await world.ask("POST /developer/v1/listeners", { token, json: {} });
    await using stream = await openEventStream({ origin: world.origin, token, listenerId: listener.data.id });
    world.advance(dayMs);
    for (const target of ["GET /v1/me", "GET /v1/orders", "GET /developer/v1/webhooks"]) {
      const { status, error } = await world.ask(target, { token });
      expect([status, error?.code]).toEqual([401, "invalid_api_key"]);
    }
    await stream.ended;
    await world.publishEvent("order.created", order("ord_1"));
    await expect.poll(() => world.receiver.received.length).toBe(1);
    await world.hookwright.apiKeys.revoke(id);
    expect((await world.ask("GET /v1/webhooks")).rows).toEqual([]);
  });

  it("with the right webhooks alone sees, reads and removes its own webhooks", async () => {
    await using world = await openWorld(memory);
    const { ask } = world;
    const others = await world.subscribe("order.created", "/others");
    const { token } = await createKey(world, { rights: ["webhooks"] });
    const create = (path: string) =>
      ask("POST /v1/webhooks", {
        token,
        json: { event: "order.created", target_url: world.receiver.origin + path },
      });
    const own = await create("/own");
    expect(own.status).toBe(201);
    expect((await create("/own")).status).toBe(200);
    expect((await create("/others")).error?.code).toBe("invalid_target_url");
    expect(idsOf(await ask("GET /v1/webhooks", { token }))).toEqual([own.data.id]);
    expect(idsOf(await ask("GET /v1/webhooks"))).toHaveLength(2);
    for (const method of ["GET", "DELETE"])
      expect((await ask(`${method} /v1/webhooks/${others.id}`, { token })).status).toBe(404);
    await world.publishEvent("order.created", order("ord_1"));
    const deliveries = await ask("GET /developer/v1/deliveries", { token });
    expect(deliveries.rows).toMatchObject([{ webhook_id: own.data.id }]);
    expect((await ask(`GET /v1/webhooks/${own.data.id}`, { token })).status).toBe(200);
    expect((await ask(`DELETE /v1/webhooks/${own.data.id}`, { token })).status).toBe(200);
  });

  it("with fewer rights or a site removes only its own webhooks, one with all removes any", async () => {
    await using world = await openWorld(memory);
    const { ask } = world;
    const create = async (path: string, token = world.key) => {
      const target_url = world.receiver.origin + path;
      const json = { event: "order.created", project_id: "site_1", target_url };
      return (await ask("POST /v1/webhooks", { token, json })).data.id;
    };
    const others = await create("/others");
    for (const limits of [{ rights: ["read", "webhooks"] }, { project_id: "site_1" }]) {
      const { token } = await createKey(world, limits);
      const own = await create("/own", token);
      expect((await ask(`GET /v1/webhooks/${others}`, { token })).status).toBe(200);
      expect((await ask(`DELETE /v1/webhooks/${others}`, { token })).error).toEqual({
        code: "forbidden",
        message:
          "This API key removes only webhooks that it created. A key with all rights and all sites removes any webhook.",
      });
      expect((await ask(`DELETE /v1/webhooks/${own}`, { token })).status).toBe(200);
    }
    const { token } = await createKey(world, {});
    expect((await ask(`DELETE /v1/webhooks/${others}`, { token })).status).toBe(200);
  });

  it("gets through the developer API only webhooks that it created, whatever its rights", async () => {
    await using world = await openWorld(memory);
    const { ask } = world;
    const { id } = await world.subscribe("order.created", "/hook");
    const { token } = await createKey(world, {});
    const json = { event: "order.created", target_url: `${world.receiver.origin}/hook` };
    const same = await ask("POST /developer/v1/webhooks", { token, json });
    expect(same.error).toEqual({
      code: "invalid_state",
      message:
        "target_url: the account has a webhook with this URL and these events, which is not one of this key",
    });
    expect((await ask("POST /v1/webhooks", { token, json })).data.id).toBe(id);
    expect((await ask("POST /developer/v1/webhooks", { json })).data.id).toBe(id);
  });
});

describe.each([memory, hostsOwn])("on $name, a key of one site", (storage) => {
  async function openSites() {
    const world = await openWorld(storage);
    const { token } = await createKey(world, { project_id: "site_1" });
    return { world, ask: (target: string, json?: object) => world.ask(target, { token, json }), token };
  }

  it("lists and reads only what belongs to its site", async () => {
    const { world, ask } = await openSites();
    await using _ = world;
    const contacts: string[] = [];
    for (const [index, site] of ["site_1", "site_2", "site_1"].entries()) {
      const email = `ada${index}@example.com`;
      const { data } = await world.ask("POST /v1/contacts", { json: { project_id: site, email } });
      contacts.push(data.id);
      await world.host(`PUT /host/v1/email-lists/lst_${index}`, { project_id: site, name: "News" });
      await world.publishEvent("order.created", order(`ord_${index}`), site);
    }
    expect(idsOf(await ask("GET /v1/projects"))).toEqual(["site_1"]);
    expect(idsOf(await ask("GET /v1/email-lists"))).toEqual(["lst_2", "lst_0"]);
    const orders = await ask("GET /v1/orders?limit=1");
    expect(orders.rows).toHaveLength(1);
    const rest = await ask(`GET /v1/orders?limit=1&cursor=${orders.meta.next_cursor}`);
    expect(idsOf({ rows: [...orders.rows, ...rest.rows] }).toSorted()).toEqual(["ord_0", "ord_2"]);
    expect(rest.meta.has_more).toBe(false);
    // A cursor of the whole account leads nowhere.
    const whole = await world.ask("GET /v1/orders?limit=1");
    const foreign = await ask(`GET /v1/orders?limit=1&cursor=${whole.meta.next_cursor}`);
    expect(foreign.error?.code).toBe("invalid_cursor");
    const found = await ask("GET /v1/contacts");
    const ofSite = idsOf(await world.ask("GET /v1/contacts?project_id=site_1"));
    expect(idsOf(found)).toEqual(ofSite);
    expect(ofSite).toEqual(expect.arrayContaining([contacts[0], contacts[2]]));
    expect(ofSite).not.toContain(contacts[1]);
    expect((await ask("GET /v1/contacts?email=ada1@example.com")).rows).toEqual([]);
    expect((await ask("GET /v1/event-types/order.created/samples")).rows).toHaveLength(2);
    for (const path of ["contacts", "orders", "email-lists", "event-types/order.created/samples"]) {
      const { status, error } = await ask(`GET /v1/${path}?project_id=site_2`);
      expect([status, error]).toEqual([
        422,
        { code: "validation_failed", message: "project_id: is not one of the account's sites" },
      ]);
      expect((await ask(`GET /v1/${path}?project_id=site_1`)).status).toBe(200);
    }
    for (const target of [`contacts/${contacts[1]}`, "orders/ord_1"])
      expect((await ask(`GET /v1/${target}`)).error?.code).toBe("resource_not_found");
    for (const target of [`contacts/${contacts[0]}`, "orders/ord_0", "me", "event-types"])
      expect((await ask(`GET /v1/${target}`)).status).toBe(200);
  });

  it("writes only to its site", async () => {
    const { world, ask } = await openSites();
    await using _ = world;
    await world.host("PUT /host/v1/email-lists/lst_1", { project_id: "site_1", name: "News" });
    await world.host("PUT /host/v1/email-lists/lst_2", { project_id: "site_2", name: "News" });
    const person = { email: "ada@example.com" };
    const bodies = [
      ["POST /v1/contacts", person],
      ["POST /v1/subscribers", { ...person, list_id: "lst_1" }],
      ["POST /v1/blog-posts", { title: "News" }],
    ] as const;
    for (const [target, body] of bodies) {
      const { error } = await ask(target, { ...body, project_id: "site_2" });
      expect(error).toEqual({
        code: "validation_failed",
        message: "project_id: is not one of the account's sites",
      });
      expect((await ask(target, { ...body, project_id: "site_1" })).status).toBe(201);
      const wrong = await ask(target, { ...body, tags: 1, project_id: "site_2" });
      expect(wrong.error?.message).toBe(
        "project_id: is not one of the account's sites; tags: must be a list",
      );
    }
    const other = await ask("POST /v1/subscribers", { ...person, list_id: "lst_2", project_id: "site_1" });
    expect(other.error?.code).toBe("invalid_list");
  });

  it("creates and sees webhooks of its site only", async () => {
    const { world, ask, token } = await openSites();
    await using _ = world;
    const { origin } = world.receiver;
    const json = (path: string, project_id?: string) => ({
      event: "order.created",
      target_url: origin + path,
      ...(project_id !== undefined && { project_id }),
    });
    const whole = await world.ask("POST /v1/webhooks", { json: json("/whole") });
    const other = await world.ask("POST /v1/webhooks", { json: json("/other", "site_2") });
    const same = await world.ask("POST /v1/webhooks", { json: json("/same", "site_1") });
    const own = await ask("POST /v1/webhooks", json("/own"));
    expect(own.data).toMatchObject({ project_id: "site_1" });
    expect((await ask("POST /v1/webhooks", json("/same"))).data.id).toBe(same.data.id);
    expect((await ask("POST /v1/webhooks", json("/x", "site_2"))).error?.code).toBe("invalid_project");
    expect((await ask("POST /v1/webhooks", json("/whole"))).error?.code).toBe("invalid_target_url");
    expect((await ask("POST /developer/v1/webhooks", json("/y", "site_2"))).error?.code).toBe(
      "invalid_project",
    );
    expect(idsOf(await ask("GET /v1/webhooks"))).toEqual([own.data.id, same.data.id]);
    const first = await ask("GET /v1/webhooks?limit=1");
    const second = await ask(`GET /v1/webhooks?limit=1&cursor=${first.meta.next_cursor}`);
    expect(idsOf(second)).toEqual([same.data.id]);
    for (const { data } of [whole, other])
      for (const method of ["GET", "DELETE"])
        expect((await ask(`${method} /v1/webhooks/${data.id}`)).error?.code).toBe("resource_not_found");
    // A webhook that its owner moves to another site is no longer one of this key.
    const moved = await openSession(world.hookwright);
    await world.ask(`PATCH /console/api/webhooks/${own.data.id}`, {
      token: moved,
      json: { project_id: "site_2" },
    });
    expect((await ask(`GET /v1/webhooks/${own.data.id}`)).status).toBe(404);
    expect((await world.ask("GET /developer/v1/webhooks", { token })).rows).toEqual([]);
  });

  it("has deliveries, resends, listeners and triggers of its site only", async () => {
    const { world, ask, token } = await openSites();
    await using _ = world;
    const session = await openSession(world.hookwright);
    const own = await ask("POST /v1/webhooks", {
      event: "order.created",
      target_url: `${world.receiver.origin}/own`,
    });
    // The deliveries of a time when its webhook had all sites are not its own either.
    const setSite = (project_id: string | null) =>
      world.ask(`PATCH /console/api/webhooks/${own.data.id}`, { token: session, json: { project_id } });
    await setSite("site_2");
    const published = await world.publishEvent("order.created", order("ord_2"), "site_2");
    await world.deliveries(1, own.data.signing_secret);
    await setSite("site_1");
    await world.publishEvent("order.created", order("ord_1"), "site_1");
    await world.deliveries(2, own.data.signing_secret);
    const [foreign = ""] = published.data.deliveries;
    expect((await ask("GET /developer/v1/deliveries")).rows).toMatchObject([{ record_id: "ord_1" }]);
    expect((await ask("GET /developer/v1/deliveries?project_id=site_2")).status).toBe(422);
    for (const target of [
      `GET /developer/v1/deliveries/${foreign}`,
      `POST /developer/v1/deliveries/${foreign}/resend`,
    ])
      expect((await ask(target)).error?.code).toBe("resource_not_found");
    const filter = { statuses: ["delivered"] };
    const preview = (more: object) =>
      ask("POST /developer/v1/resends", { filter: { ...filter, ...more }, dry_run: true });
    expect((await preview({})).data).toMatchObject({ found: 1 });
    expect((await preview({ project_id: "site_2" })).error?.code).toBe("invalid_project");
    const unknown = await preview({ delivery_ids: ["dlv_none"] });
    expect(unknown.data).toMatchObject({ found: 1, skipped: 1 });
    expect((await preview({ delivery_ids: [foreign] })).data).toEqual(unknown.data);

    const listen = (project_id?: string) => ask("POST /developer/v1/listeners", { project_id });
    expect((await listen("site_2")).error?.code).toBe("invalid_project");
    const listener = await listen();
    expect(listener.data).toMatchObject({ project_id: "site_1" });
    const trigger = (project_id?: string) =>
      ask("POST /developer/v1/trigger", { event: "order.created", project_id });
    expect((await trigger("site_2")).error?.code).toBe("invalid_project");
    expect((await trigger()).data).toMatchObject({ listeners: 1 });
    await using events = await openEventStream({ origin: world.origin, token, listenerId: listener.data.id });
    await world.publishEvent("order.created", order("ord_3"), "site_2");
    await world.publishEvent("order.created", order("ord_4"), "site_1");
    await expect.poll(() => events.deliveries.length).toBe(2);
    expect(events.deliveries.map(({ body }) => JSON.parse(body).project.id)).toEqual(["site_1", "site_1"]);
  });

  it("recovers only what belongs to its site, and sees no recovery of more", async () => {
    await using world = await openWorld(storage, { retryDelaysSeconds: [] });
    const { receiver } = world;
    const session = await openSession(world.hookwright);
    const { token } = await createKey(world, { project_id: "site_1" });
    const ask = (target: string, json?: object) => world.ask(target, { token, json });
    const owner = (target: string, json?: object) => world.ask(target, { token: session, json });
    const target_url = `${receiver.origin}/own`;
    const { id } = (await ask("POST /v1/webhooks", { event: "order.created", target_url })).data;
    const missBoth = async () => {
      const published = ["site_1", "site_2"].map((site) =>
        world.publishEvent("order.created", order(crypto.randomUUID()), site),
      );
      return (await Promise.all(published)).flatMap(({ data }) => data.deliveries);
    };
    // Its owner gave the webhook all sites for a while.
    await owner(`PATCH /console/api/webhooks/${id}`, { project_id: null });
    receiver.answerWith(500);
    for (const delivery of await missBoth()) await expect.poll(() => world.statusOf(delivery)).toBe("failed");
    receiver.answerWith(204);
    await owner(`POST /console/api/webhooks/${id}/pause`);
    await missBoth();
    await owner(`POST /console/api/webhooks/${id}/resume`);
    await owner(`PATCH /console/api/webhooks/${id}`, { project_id: "site_1" });
    const input = { since: "2020-01-01T00:00:00Z", missed: true };
    const arrived = receiver.received.length;
    const started = await ask(`POST /developer/v1/webhooks/${id}/recoveries`, input);
    expect(started.data).toMatchObject({ found: 2 });
    const one = `/developer/v1/recoveries/${started.data.id}`;
    await expect
      .poll(async () => (await ask(`GET ${one}`)).data)
      .toMatchObject({ status: "finished", resent: 2 });
    await expect.poll(() => receiver.received.length).toBe(arrived + 2);
    const sites = receiver.received.slice(arrived).map(({ body }) => JSON.parse(body).project.id);
    expect(sites).toEqual(["site_1", "site_1"]);

    const whole = await owner(`POST /console/api/webhooks/${id}/recoveries`, input);
    expect(whole.data).toMatchObject({ found: 1 });
    for (const target of [
      `GET /developer/v1/recoveries/${whole.data.id}`,
      `POST /developer/v1/recoveries/${whole.data.id}/stop`,
    ])
      expect((await ask(target)).error?.code).toBe("resource_not_found");
    expect(idsOf(await ask(`GET /developer/v1/webhooks/${id}/recoveries`))).toEqual([started.data.id]);
    const all = await owner(`GET /console/api/webhooks/${id}/recoveries`);
    expect(idsOf(all)).toEqual([whole.data.id, started.data.id]);
  });
});
