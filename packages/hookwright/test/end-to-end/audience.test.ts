import { describe, expect, it } from "vitest";
import { validateEvent } from "../../src/index.ts";
import { openWorld } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { hostsOwn, storages } from "./support/storages.ts";

describe.each([...storages, hostsOwn])("on $name, contacts", (storage) => {
  it("are created, merged, found and read", async () => {
    await using world = await openWorld(storage);
    const { ask } = world;
    const post = (json: object) => ask("POST /v1/contacts", { json: { project_id: "site_1", ...json } });
    const created = await post({
      email: " Ada@Example.com",
      name: "Ada",
      tags: ["a", " a ", ""],
      phone: " ",
    });
    expect([created.status, created.data]).toMatchObject([
      201,
      { email: "ada@example.com", name: "Ada", phone: null, notes: null, tags: ["a"] },
    ]);
    const updated = await post({ email: "ADA@example.com", name: null, notes: "VIP", tags: ["b", "a"] });
    expect([updated.status, updated.data]).toMatchObject([
      200,
      { id: created.data.id, name: "Ada", notes: "VIP", tags: ["a", "b"] },
    ]);
    expect((await ask(`GET /v1/contacts/${created.data.id}`)).data).toEqual(updated.data);
    await ask("POST /v1/contacts", { json: { project_id: "site_2", email: "ada@example.com" } });
    expect((await ask("GET /v1/contacts?email=ADA@EXAMPLE.COM")).data).toHaveLength(2);
    expect((await ask("GET /v1/contacts?email=ada@example.com&project_id=site_1")).data).toEqual([
      updated.data,
    ]);
    expect((await post({ email: "x" })).error?.message).toBe("email: must be an e-mail address");
    expect(
      (await ask("POST /v1/contacts", { json: { project_id: "site_x", email: "a@example.com" } })).status,
    ).toBe(422);
    expect((await ask("GET /v1/contacts/ct_unknown")).error?.code).toBe("resource_not_found");
  });

  it("with one address that are created concurrently are one contact", async () => {
    await using world = await openWorld(storage);
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        world.ask("POST /v1/contacts", {
          json: { project_id: "site_1", email: "ada@example.com", tags: [`tag-${index}`] },
        }),
      ),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
    const { rows } = await world.ask("GET /v1/contacts");
    expect(rows).toHaveLength(1);
    expect(rows[0]?.tags).toHaveLength(8);
  });
});

describe.each([...storages, hostsOwn])("on $name, a body with a site", (storage) => {
  it.each([
    ["POST /v1/contacts", { email: "x", name: 5 }, "email: must be an e-mail address; name: must be text"],
    ["POST /v1/subscribers", { email: "x", list_id: "none" }, "email: must be an e-mail address"],
    ["POST /v1/blog-posts", { excerpt: "No title" }, "title: is required"],
  ])("gets an error that names all problems including the site: %s", async (target, fields, problems) => {
    await using world = await openWorld(storage);
    const messageFor = async (site: unknown) =>
      (await world.ask(target, { json: { ...fields, project_id: site } })).error?.message;
    expect(await messageFor("site_x")).toBe(`project_id: is not one of the account's sites; ${problems}`);
    expect(await messageFor("site_1")).toBe(problems);
    expect(await messageFor(undefined)).toBe(`project_id: is required; ${problems}`);
    expect(await messageFor(5)).toBe(`project_id: must be text; ${problems}`);
  });
});

describe.each(storages)("on $name, contacts", (storage) => {
  it("get data from published records, which overwrite nothing", async () => {
    await using world = await openWorld(storage);
    const { ask } = world;
    await ask("POST /v1/contacts", { json: { project_id: "site_1", email: "ada@example.com", phone: "1" } });
    const customer = { name: "Ada Lovelace", email: "Ada@Example.com", phone: "2" };
    const data = order("ord_1", { customer });
    await world.publishEvent("order.created", data);
    const { data: contacts } = await ask("GET /v1/contacts?project_id=site_1");
    expect(contacts).toMatchObject([{ name: "Ada Lovelace", phone: "1" }]);
  });
});

describe.each(storages)("on $name, subscribers", (storage) => {
  it("join lists and keep their status, and one event is sent", async () => {
    await using world = await openWorld(storage);
    const { ask, host } = world;
    const { secret } = await world.subscribe("subscriber.created");
    await host("PUT /host/v1/email-lists/lst_1", { project_id: "site_1", name: "News" });
    await host("PUT /host/v1/email-lists/lst_2", { project_id: "site_2", name: "Other" });
    expect((await ask("GET /v1/email-lists?project_id=site_1")).data).toMatchObject([{ id: "lst_1" }]);
    const post = (json: object) => ask("POST /v1/subscribers", { json: { project_id: "site_1", ...json } });
    expect((await post({ email: "ada@example.com", list_id: "lst_2" })).error?.code).toBe("invalid_list");
    const first = await post({ email: "Ada@example.com", name: "Ada", list_id: "lst_1" });
    expect([first.status, first.data]).toMatchObject([
      201,
      { status: "active", list_ids: ["lst_1"], tags: [] },
    ]);
    // A body shows its record as it is when it is sent.
    await world.deliveries(1, secret);
    await host("PUT /host/v1/projects/site_1/subscribers/ada@example.com", { status: "unsubscribed" });
    const again = await post({ email: "ada@example.com", name: "Other", tags: ["vip"] });
    expect([again.status, again.data]).toMatchObject([
      200,
      { id: first.data.id, status: "unsubscribed", name: "Ada", tags: ["vip"] },
    ]);
    const received = await world.deliveries(1, secret);
    expect(received).toHaveLength(1);
    expect(JSON.parse(received[0]?.body ?? "").data).toEqual({
      id: first.data.id,
      email: "ada@example.com",
      name: "Ada",
      status: "active",
      tags: [],
      created_at: first.data.created_at,
    });
  });

  it("keep fields that the host leaves out, and keep their lists when it publishes them again", async () => {
    await using world = await openWorld(storage);
    const { ask, host, hookwright } = world;
    await host("PUT /host/v1/email-lists/lst_1", { project_id: "site_1", name: "News" });
    const json = { project_id: "site_1", email: "ada@example.com", name: "Ada", tags: ["vip"] };
    const { data: joined } = await ask("POST /v1/subscribers", { json: { ...json, list_id: "lst_1" } });
    const put = async (body: object) =>
      (await host("PUT /host/v1/projects/site_1/subscribers/Ada@example.com", body)).data;
    expect(await put({ status: "unsubscribed" })).toEqual({ ...joined, status: "unsubscribed" });
    const tagged = { ...joined, status: "unsubscribed", tags: ["vip", "news"] };
    expect(await put({ tags: ["news"] })).toEqual(tagged);
    expect(await put({ name: "Ada L.", status: "" })).toEqual({ ...tagged, name: "Ada L." });
    expect(await put({ status: "active" })).toEqual({ ...tagged, name: "Ada L.", status: "active" });
    const data = JSON.stringify(joined);
    const old = validateEvent({
      event: "subscriber.created",
      project_id: "site_1",
      data: JSON.parse(data),
    }).input;
    // A retry of the event is older than the later write.
    expect(await hookwright.publish(old)).toMatchObject({ deliveries: [], duplicate: true });
    expect(await put({})).toEqual({ ...tagged, name: "Ada L.", status: "active" });
    world.advance(1_000);
    const published = { ...old, as_of: Date.now() + 2_000 };
    expect(await hookwright.publish(published)).toMatchObject({ deliveries: [], duplicate: true });
    expect(await put({})).toEqual(joined);
  });

  it("are refused if their address is suppressed", async () => {
    await using world = await openWorld(storage);
    const { ask, host } = world;
    await host("PUT /host/v1/suppressions/bounced@example.com", { reason: "bounced" });
    const post = (email: string) => ask("POST /v1/subscribers", { json: { project_id: "site_1", email } });
    for (const email of ["Bounced@example.com", "a@mailinator.com", "a@sub.mailinator.com"])
      expect([email, (await post(email)).error?.code]).toEqual([email, "email_rejected"]);
    await host("DELETE /host/v1/suppressions/bounced@example.com");
    expect((await post("bounced@example.com")).status).toBe(201);
  });

  it("are counted per month in the account's time zone, even with concurrent requests", async () => {
    await using world = await openWorld(storage);
    const { ask, host } = world;
    await host("PUT /host/v1/accounts/acc_1", { plan: { monthly_new_subscribers: 3 } });
    const post = (name: string) =>
      ask("POST /v1/subscribers", { json: { project_id: "site_1", email: `${name}@example.com` } });
    const made = await Promise.all(Array.from({ length: 8 }, (_, index) => post(`person-${index}`)));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(made.filter(({ error }) => error?.code === "plan_limit_reached")).toHaveLength(5);
    const known = made.findIndex(({ status }) => status === 201);
    expect((await post(`person-${known}`)).status).toBe(200);
    world.advance(32 * 24 * 60 * 60 * 1_000);
    expect((await post("next-month")).status).toBe(201);
  });

  it("are counted from zero when the month changes in the account's time zone", async () => {
    await using world = await openWorld(storage);
    const { ask, host, advance } = world;
    const plan = { monthly_new_subscribers: 1 };
    await host("PUT /host/v1/accounts/acc_1", { timezone: "Pacific/Auckland", plan });
    // Half a minute before midnight in Auckland, which is 13 hours ahead of UTC.
    advance(Date.parse("2026-12-31T10:59:30Z") - Date.now());
    const post = async (name: string) => {
      const json = { project_id: "site_1", email: `${name}@example.com` };
      const { status, error } = await ask("POST /v1/subscribers", { json });
      return error?.code ?? status;
    };
    expect(await post("ada")).toBe(201);
    expect(await post("grace")).toBe("plan_limit_reached");
    advance(31_000);
    expect(await post("grace")).toBe(201);
    advance(14 * 60 * 60 * 1_000);
    expect(await post("joan")).toBe("plan_limit_reached");
  });

  it("are checked in the order list, address, known subscriber, plan", async () => {
    await using world = await openWorld(storage);
    const { ask, host } = world;
    await host("PUT /host/v1/accounts/acc_1", { plan: { monthly_new_subscribers: 0 } });
    const post = (json: object) => ask("POST /v1/subscribers", { json: { project_id: "site_1", ...json } });
    const codeOf = async (json: object) => (await post(json)).error?.code;
    expect(await codeOf({ email: "a@mailinator.com", list_id: "lst_x" })).toBe("invalid_list");
    expect(await codeOf({ email: "a@mailinator.com" })).toBe("email_rejected");
    expect(await codeOf({ email: "a@example.com" })).toBe("plan_limit_reached");
    const data = {
      id: "sub_of_host",
      email: "Known@Example.com",
      name: "Known",
      status: "active",
      tags: ["x"],
      created_at: "2026-11-01T00:00:00Z",
    };
    await world.publishEvent("subscriber.created", data);
    const known = await post({ email: "known@example.com", tags: ["y"] });
    expect([known.status, known.data]).toMatchObject([200, { id: "sub_of_host", tags: ["x", "y"] }]);
    await host("PUT /host/v1/suppressions/KNOWN@example.com", { reason: "complained" });
    expect(await codeOf({ email: "known@example.com" })).toBe("email_rejected");
  });
});

describe.each([...storages, hostsOwn])("on $name, blog posts", (storage) => {
  it("are drafts with a unique slug, up to the plan's limit", async () => {
    await using world = await openWorld(storage);
    const { ask, host } = world;
    await host("PUT /host/v1/accounts/acc_1", { plan: { blog_posts_per_site: 4 } });
    const post = (json: object) => ask("POST /v1/blog-posts", { json: { project_id: "site_1", ...json } });
    const created = await post({ title: "Fresh bread", content: "<p>Yes</p>", tags: ["bread"] });
    expect([created.status, created.data]).toMatchObject([
      201,
      { slug: "fresh-bread", status: "draft", content: "<p>Yes</p>", tags: ["bread"], featured_image: null },
    ]);
    expect((await post({ title: "Fresh bread" })).data.slug).toBe("fresh-bread-2");
    expect((await post({ title: "x", slug: "fresh-bread" })).data.slug).toBe("fresh-bread-3");
    expect((await post({ title: "2024 🦄" })).data.slug).toBe("post");
    expect((await post({ title: "one more" })).error?.code).toBe("plan_limit_reached");
    expect((await ask("POST /v1/blog-posts", { json: { project_id: "site_2", title: "x" } })).status).toBe(
      201,
    );
    expect((await post({ title: " ", featured_image: "ftp://x" })).error?.message).toContain(
      "title: is required",
    );
  });
});
