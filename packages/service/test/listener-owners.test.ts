import { expect, it } from "vitest";
import type { Caller } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

useQuickScrypt();

const login = { email: "owner@example.com", password: "correct horse battery" };

/** An account with two keys, and a session of the console. */
async function openWorld() {
  const { service } = openService();
  await service.accounts.put("acc_1", login);
  await service.projects.put("site_1", { account_id: "acc_1" });
  const tokens = new Map<Caller, string>();
  const signIn = async (token: string): Promise<Caller> => {
    const caller = await service.authenticate(token);
    tokens.set(caller, token);
    return caller;
  };
  const one = await signIn((await service.apiKeys.create("acc_1", { name: "one" })).api_key);
  const two = await signIn((await service.apiKeys.create("acc_1", { name: "two" })).api_key);
  const session = await signIn((await service.sessions.create(login)).token);
  const openStream = (caller: Caller, id: string) =>
    service.listeners.open(id, { token: tokens.get(caller) ?? "", caller, check: () => {} });
  return { listeners: service.listeners, openStream, one, two, session };
}

const notFound = { code: "resource_not_found" };

it("a key neither reads, answers for nor removes a listener of another key", async () => {
  const { listeners, openStream, one, two } = await openWorld();
  const { id } = await listeners.create(one, {});
  await listeners.trigger(one, { event: "order.created" });
  await expect(openStream(two, id)).rejects.toMatchObject(notFound);
  await expect(listeners.report(two, id, "dlv_1", { status: 200, duration_ms: 1 })).rejects.toThrow(
    "No such listener",
  );
  await expect(listeners.remove(two, id)).rejects.toMatchObject(notFound);
  (await openStream(one, id)).close();
  await listeners.close();
  expect(await listeners.remove(one, id)).toEqual({ id, deleted: true });
});

it("a session of the console sees the listeners of all keys, and no key sees its own", async () => {
  const { listeners, openStream, one, session } = await openWorld();
  const ofKey = await listeners.create(one, {});
  const ofSession = await listeners.create(session, {});
  await expect(openStream(one, ofSession.id)).rejects.toMatchObject(notFound);
  expect(await listeners.remove(session, ofKey.id)).toEqual({ id: ofKey.id, deleted: true });
  await listeners.close();
});

it("an event that a key triggers reaches only its own listeners, one of a session all of them", async () => {
  const { listeners, openStream, one, two, session } = await openWorld();
  const created = await listeners.create(one, {});
  await listeners.create(two, {});
  expect((await listeners.trigger(two, { event: "order.created" })).listeners).toBe(1);
  expect((await listeners.trigger(session, { event: "order.paid" })).listeners).toBe(2);
  const stream = await openStream(one, created.id);
  await stream.next();
  const sent = (await stream.next()) ?? "";
  expect([...sent.matchAll(/X-Service-Event":"([\w.]+)/gu)].map(([, event]) => event)).toEqual([
    "order.paid",
  ]);
  stream.close();
  await listeners.close();
});

it("an account has at most ten listeners: the eleventh is refused, whatever its key, and none is removed", async () => {
  const { listeners, one, two, session } = await openWorld();
  const ofOne = [];
  for (let count = 1; count <= 10; count++) ofOne.push(await listeners.create(one, {}));
  for (const caller of [one, two, session])
    await expect(listeners.create(caller, {})).rejects.toMatchObject({ code: "invalid_state", status: 409 });
  for (const { id } of ofOne) await expect(listeners.remove(one, id)).resolves.toEqual({ id, deleted: true });
  await listeners.create(two, {});
});

it("a key that triggers many large events drops none of another key", async () => {
  const { listeners, openStream, one, two } = await openWorld();
  const { id } = await listeners.create(one, {});
  await listeners.create(two, {});
  const first = await listeners.trigger(one, { event: "order.created" });
  const data = { note: "x".repeat(60_000) };
  for (let count = 1; count <= 80; count++) await listeners.trigger(two, { event: "order.created", data });
  const stream = await openStream(one, id);
  let sent = "";
  while (!sent.includes(first.id)) sent = (await stream.next()) ?? first.id;
  expect(sent).toContain("event: delivery");
  stream.close();
  await listeners.close();
});
