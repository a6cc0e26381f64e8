import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { openConsoleStream, openEventStream } from "./support/event-stream.ts";
import { openWorld } from "./support/open-world.ts";
import type { Answered, World } from "./support/open-world.ts";
import { memory, storages } from "./support/storages.ts";

useQuickScrypt();

const owner = { email: "one@example.com", password: "the password of the account" };
const ada = { email: "ada@example.com", password: "Ada's own password" };
const dayMs = 24 * 60 * 60 * 1_000;

/** Some fields of the answers. */
interface Fields {
  readonly id: string;
  readonly token: string;
  readonly url: string;
}

function fieldsOf({ text }: Answered): Fields {
  return JSON.parse(text).data;
}

const codeOf = ({ status, error }: Answered): unknown => [status, error?.code];

async function signIn(world: World, login: object = owner): Promise<Answered> {
  return world.ask("POST /console/api/session", { token: null, json: login });
}

async function openAccount(world: World, accountId = "acc_1"): Promise<string> {
  await world.hookwright.accounts.put(accountId, owner);
  return fieldsOf(await signIn(world)).token;
}

async function invite(world: World, token: string, role: string, email = ada.email) {
  const invited = await world.ask("POST /console/api/people", { token, json: { email, role } });
  expect(invited.status).toBe(201);
  const { id, url } = fieldsOf(invited);
  return { id, path: `/console/api/invitations/${url.slice(url.lastIndexOf("/") + 1)}`, answered: invited };
}

const accept = (world: World, path: string, json: object = { name: "Ada", password: ada.password }) =>
  world.ask(`POST ${path}`, { token: null, json });

/** Invites somebody who accepts. */
async function join(world: World, token: string, role: string, email = ada.email) {
  const { id, path } = await invite(world, token, role, email);
  const joined = await accept(world, path);
  expect(joined.status).toBe(201);
  return { id, token: fieldsOf(joined).token };
}

const personOf = (id: string, name = "Ada", email = ada.email) => ({ id, name, email });

describe("people of an account", () => {
  it("are invited, choose a password, and sign in with it", async () => {
    await using world = await openWorld(memory);
    const token = await openAccount(world);
    const { id, path, answered } = await invite(world, token, "developer");
    expect(answered.data).toEqual({
      id: expect.stringMatching(/^prs_/u),
      email: ada.email,
      role: "developer",
      status: "invited",
      url: expect.stringMatching(/^\/console#\/invitation\/hwi_[\w-]{43}$/u),
      expires_at: expect.any(String),
    });
    expect((await world.ask(`GET ${path}`, { token: null })).data).toMatchObject({
      account_name: "One",
      email: ada.email,
      role: "developer",
    });
    expect(codeOf(await signIn(world, ada))).toEqual([401, "invalid_credentials"]);
    const joined = await accept(world, path, { name: "Ada", password: ada.password, timezone: "Asia/Tokyo" });
    const rights = ["read", "webhooks", "write", "keys"];
    const session = { person: personOf(id), role: "developer", rights, account: { id: "acc_1" } };
    expect([joined.status, joined.data]).toMatchObject([201, session]);
    const signedIn = await signIn(world, ada);
    expect([signedIn.status, signedIn.data]).toMatchObject([200, session]);
    const { rows } = await world.ask("GET /console/api/people", { token: fieldsOf(signedIn).token });
    expect(rows).toMatchObject([
      { id, name: "Ada", role: "developer", status: "active", timezone: "Asia/Tokyo", expires_at: null },
      { id: "account", email: owner.email, role: "owner", status: "active" },
    ]);
    expect(rows.every((row) => "last_sign_in_at" in row && row.last_sign_in_at !== null)).toBe(true);
    expect((await world.host("GET /host/v1/accounts/acc_1/people")).rows).toEqual(rows);
    expect((await world.host("GET /host/v1/accounts/acc_none/people")).status).toBe(404);
  });

  it.each(storages)("join once on $name, also if many requests use the invitation", async (storage) => {
    await using world = await openWorld(storage);
    const { path } = await invite(world, await openAccount(world), "viewer");
    const tries = await Promise.all(Array.from({ length: 5 }, () => accept(world, path)));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([201, 404, 404, 404, 404]);
    for (const late of [await accept(world, path), await world.ask(`GET ${path}`, { token: null })])
      expect(codeOf(late)).toEqual([404, "resource_not_found"]);
    expect((await signIn(world, ada)).status).toBe(200);
  });

  it("cannot join after 7 days, or with an invitation that was replaced or withdrawn", async () => {
    await using world = await openWorld(memory, { consoleTokenSeconds: 20 * 86_400 });
    const token = await openAccount(world);
    const first = await invite(world, token, "viewer");
    const second = await invite(world, token, "owner");
    expect(codeOf(await accept(world, first.path))).toEqual([404, "resource_not_found"]);
    const withdrawn = await invite(world, token, "owner", "bob@example.com");
    await world.ask(`DELETE /console/api/people/${withdrawn.id}`, { token });
    expect(codeOf(await accept(world, withdrawn.path))).toEqual([404, "resource_not_found"]);
    world.advance(7 * dayMs - 5_000);
    expect((await world.ask(`GET ${second.path}`, { token: null })).status).toBe(200);
    world.advance(5_000);
    expect(codeOf(await accept(world, second.path))).toEqual([404, "resource_not_found"]);
    const { rows } = await world.ask("GET /console/api/people", { token });
    expect(rows).toMatchObject([{ id: second.id, status: "expired" }, { id: "account" }]);
  });

  it("lose their sessions and streams when they are removed, and keep nothing", async () => {
    await using world = await openWorld(memory);
    const token = await openAccount(world);
    const person = await join(world, token, "viewer");
    await using stream = await openConsoleStream(world.origin, person.token);
    await expect.poll(() => stream.comments).toEqual(["connected"]);
    expect((await world.ask(`DELETE /console/api/people/${person.id}`, { token })).status).toBe(200);
    expect(codeOf(await world.ask("GET /console/api/people", { token: person.token }))).toEqual([
      401,
      "invalid_api_key",
    ]);
    await stream.ended;
    expect(codeOf(await signIn(world, ada))).toEqual([401, "invalid_credentials"]);
    const { rows } = await world.ask("GET /console/api/sessions", { token });
    expect(rows).toMatchObject([{ person: { id: "account" }, current: true }]);
  });

  it("have the rights of their role, which change at once", async () => {
    await using world = await openWorld(memory);
    const token = await openAccount(world);
    const person = await join(world, token, "viewer");
    const createKey = () =>
      world.ask("POST /console/api/keys", { token: person.token, json: { name: "a key" } });
    const inviteBob = () =>
      world.ask("POST /console/api/people", {
        token: person.token,
        json: { email: "bob@example.com", role: "viewer" },
      });
    const become = (role: string) =>
      world.ask(`PATCH /console/api/people/${person.id}`, { token, json: { role } });
    expect([codeOf(await createKey()), codeOf(await inviteBob())]).toEqual([
      [403, "forbidden"],
      [403, "forbidden"],
    ]);
    const { data: account } = await world.ask("GET /console/api/account", { token: person.token });
    expect(account).toMatchObject({ person: personOf(person.id), role: "viewer", rights: ["read"] });
    expect((await become("developer")).data).toMatchObject({ id: person.id, role: "developer" });
    expect([(await createKey()).status, codeOf(await inviteBob())]).toEqual([201, [403, "forbidden"]]);
    await become("owner");
    expect((await inviteBob()).status).toBe(201);
    await become("viewer");
    expect(codeOf(await createKey())).toEqual([403, "forbidden"]);
  });

  it("always have the login of the account as an owner, so any other owner can be removed", async () => {
    await using world = await openWorld(memory);
    // This account has no password: the host opens its console.
    const { url } = await world.hookwright.sessions.createLink("acc_1");
    const code = url.slice(url.lastIndexOf("/") + 1);
    const { token } = await world.hookwright.sessions.exchangeLink({ code });
    const person = await join(world, token, "owner");
    for (const target of ["DELETE /console/api/people/account", "PATCH /console/api/people/account"])
      expect(codeOf(await world.ask(target, { token, json: { role: "viewer" } }))).toEqual([
        409,
        "invalid_state",
      ]);
    const path = `/console/api/people/${person.id}`;
    expect((await world.ask(`PATCH ${path}`, { token, json: { role: "viewer" } })).status).toBe(200);
    await world.ask(`PATCH ${path}`, { token, json: { role: "owner" } });
    expect((await world.ask(`DELETE ${path}`, { token })).status).toBe(200);
    const { rows } = await world.ask("GET /console/api/people", { token });
    expect(rows).toMatchObject([{ id: "account", role: "owner" }]);
  });

  it("lose the stream of a listener with the right to have one", async () => {
    await using world = await openWorld(memory);
    const token = await openAccount(world);
    const person = await join(world, token, "developer");
    const listener = await world.ask("POST /developer/v1/listeners", { token: person.token, json: {} });
    const listenerId = fieldsOf(listener).id;
    await using stream = await openEventStream({ origin: world.origin, listenerId, token: person.token });
    expect(stream.response.status).toBe(200);
    await world.ask(`PATCH /console/api/people/${person.id}`, { token, json: { role: "viewer" } });
    await stream.ended;
  });

  it("see and end their own sessions, and owners all", async () => {
    await using world = await openWorld(memory);
    const token = await openAccount(world);
    const person = await join(world, token, "viewer");
    const again = fieldsOf(await signIn(world, ada)).token;
    const list = async (by: string) => (await world.ask("GET /console/api/sessions", { token: by })).rows;
    const own = await list(again);
    expect(own).toMatchObject([
      { person: personOf(person.id), current: true, network: "127.0.0.1", link: false, read_only: false },
      { person: personOf(person.id), current: false },
    ]);
    const all = await list(token);
    expect(all).toMatchObject([
      { person: { id: person.id }, role: "viewer" },
      { person: { id: person.id } },
      { person: { id: "account" }, role: "owner", current: true },
    ]);
    const end = (by: string, id = "") => world.ask(`DELETE /console/api/sessions/${id}`, { token: by });
    expect(codeOf(await end(again, all[2]?.id))).toEqual([403, "forbidden"]);
    expect((await end(again, own[1]?.id)).data).toEqual({ id: own[1]?.id, signed_out: true });
    expect(codeOf(await world.ask("GET /v1/me", { token: person.token }))).toEqual([401, "invalid_api_key"]);
    expect((await end(token, own[0]?.id)).status).toBe(200);
    expect(codeOf(await world.ask("GET /v1/me", { token: again }))).toEqual([401, "invalid_api_key"]);
    expect(codeOf(await end(token, own[0]?.id))).toEqual([404, "resource_not_found"]);
    expect(await list(token)).toHaveLength(1);
    await world.ask("DELETE /console/api/session", { token });
    expect(await list(fieldsOf(await signIn(world)).token)).toHaveLength(1);
  });

  it("are named by the audit log", async () => {
    await using world = await openWorld(memory);
    const token = await openAccount(world);
    const person = await join(world, token, "developer");
    await world.ask("POST /console/api/keys", { token: person.token, json: { name: "a key" } });
    await world.ask(`PATCH /console/api/people/${person.id}`, { token, json: { role: "viewer" } });
    await world.ask(`DELETE /console/api/people/${person.id}`, { token });
    const { rows } = await world.hookwright.audit.list({ account_id: "acc_1" }, { limit: 6 });
    const actor = { kind: "person", id: person.id, name: "Ada (ada@example.com)" };
    const byOwner = { kind: "owner", id: null, name: null };
    const target = { kind: "person", id: person.id };
    const was = (role: string) => [
      { field: "email", old: ada.email, new: null },
      { field: "role", old: role, new: null },
    ];
    const becomes = (role: string) => was(role).map(({ field, old }) => ({ field, old: null, new: old }));
    expect(rows).toMatchObject([
      { action: "person.removed", actor: byOwner, target, changes: was("viewer") },
      { action: "person.updated", actor: byOwner, target, changed: ["role"] },
      { action: "api_key.created", actor },
      { action: "sign_in.succeeded", actor },
      { action: "person.joined", actor, target, request_id: expect.any(String) },
      { action: "person.invited", actor: byOwner, target, changes: becomes("developer") },
    ]);
  });

  it("disappear with their account", async () => {
    await using world = await openWorld(memory);
    const token = await openAccount(world);
    const person = await join(world, token, "owner");
    const open = await invite(world, token, "viewer", "bob@example.com");
    await world.hookwright.accounts.remove("acc_1");
    expect(codeOf(await world.ask("GET /v1/me", { token: person.token }))).toEqual([401, "invalid_api_key"]);
    expect(codeOf(await signIn(world, ada))).toEqual([401, "invalid_credentials"]);
    expect(codeOf(await accept(world, open.path))).toEqual([404, "resource_not_found"]);
  });

  it("can belong to several accounts with one address", async () => {
    await using world = await openWorld(memory);
    const token = await openAccount(world);
    const here = await join(world, token, "viewer");
    await world.hookwright.accounts.put("acc_2", {
      name: "Two",
      email: ada.email,
      password: "of account two",
    });
    const second = fieldsOf(await signIn(world, { ...ada, password: "of account two" })).token;
    const there = await invite(world, second, "owner");
    await accept(world, there.path, { name: "Ada", password: "another password" });
    const signedIn = async (password: string) => (await signIn(world, { ...ada, password })).data;
    expect(await signedIn(ada.password)).toMatchObject({ account: { id: "acc_1" }, person: { id: here.id } });
    expect(await signedIn("of account two")).toMatchObject({
      account: { id: "acc_2" },
      person: { id: "account" },
    });
    expect(await signedIn("another password")).toMatchObject({
      account: { id: "acc_2" },
      person: { id: there.id },
    });
  });

  it("come with a link of the host, with a role and a page", async () => {
    await using world = await openWorld(memory);
    const person = { id: "user|17", name: "Grace", email: "grace@example.com" };
    const created = await world.host("POST /host/v1/accounts/acc_1/console-sessions", {
      person,
      role: "viewer",
      path: "/webhooks/wh_1?period=7d",
    });
    const { url } = fieldsOf(created);
    const code = url.slice(url.lastIndexOf("/") + 1);
    const opened = await world.ask("POST /console/api/session/link", { token: null, json: { code } });
    expect(opened.data).toMatchObject({
      person,
      role: "viewer",
      rights: ["read"],
      path: "/webhooks/wh_1?period=7d",
      read_only: false,
    });
    const { token } = fieldsOf(opened);
    const refused = await world.ask("POST /console/api/keys", { token, json: { name: "a key" } });
    expect(codeOf(refused)).toEqual([403, "forbidden"]);
    expect((await world.ask("GET /console/api/sessions", { token })).rows).toMatchObject([
      { person, role: "viewer", link: true, current: true },
    ]);
    const { rows } = await world.hookwright.audit.list({ account_id: "acc_1" }, { limit: 2 });
    expect(rows).toMatchObject([
      {
        action: "sign_in.succeeded",
        actor: { kind: "person", id: "user|17", name: "Grace (grace@example.com)" },
      },
      { action: "console_link.created", actor: { kind: "host" }, target: { kind: "person", id: "user|17" } },
    ]);
  });
});

it.each([
  [{ path: "https://example.com/webhooks" }, "path"],
  [{ path: "//example.com" }, "path"],
  [{ path: "/webhooks#/link/x" }, "path"],
  [{ path: "/operator" }, "path"],
  [{ path: "/link/hwl_1" }, "path"],
  [{ role: "admin" }, "role"],
  [{ person: { id: "account", name: "A", email: "a@example.com" } }, "person.id"],
  [{ person: { id: "user_1", email: "a@example.com" } }, "person.name"],
])("a link with %j is refused", async (input, field) => {
  await using world = await openWorld(memory);
  const refused = await world.host("POST /host/v1/accounts/acc_1/console-sessions", input);
  expect(codeOf(refused)).toEqual([422, "validation_failed"]);
  expect(refused.error?.message).toContain(field);
});
