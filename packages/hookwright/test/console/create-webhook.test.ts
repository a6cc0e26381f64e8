import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { verifySync } from "@hookwright/signature/node";
import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";
import type { Answered, World } from "../support/open-console.ts";

const credential = "Basic Z2F0ZXdheTpzZWNyZXQ=";

/** Where the rows of the webhooks are. */
const webhookRows = [partitionOf("acc_1"), "webhook", "acc_1"] as const;

async function verifiedOf(world: World, path: string): Promise<unknown> {
  return (await world.ask(`GET ${path}`)).data["verified"];
}

function outcomeOf({ status, code }: Answered): readonly unknown[] {
  return [status, code];
}

it("a webhook is created with a name and headers, and an existing one keeps its own", async () => {
  await using world = await openConsole();
  const more = { name: "Warehouse", headers: { Authorization: credential } };
  const { path, id } = await world.createWebhook("/hooks", more);
  expect((await world.ask(`GET ${path}`)).data).toMatchObject({
    name: "Warehouse",
    headers: ["Authorization"],
    status: "active",
    status_changed_at: null,
  });
  await world.publish("rev_1");
  await world.settled();
  expect(world.received.map(({ headers }) => headers.authorization)).toEqual([credential]);
  const again = await world.ask("POST /console/api/webhooks", {
    event: "review.submitted",
    target_url: `${world.origin}/hooks`,
    name: "Other",
    headers: { "X-Other": "1" },
    paused: true,
  });
  expect([again.status, again.data]).toMatchObject([
    200,
    { id, name: "Warehouse", headers: ["Authorization"], status: "active" },
  ]);
});

it("headers and `paused` of a creation are checked, and nothing is created", async () => {
  await using world = await openConsole();
  const create = (more: Readonly<Record<string, unknown>>) =>
    world.ask("POST /console/api/webhooks", {
      event: "review.submitted",
      target_url: `${world.origin}/hooks`,
      ...more,
    });
  for (const more of [
    { headers: { Host: "a" } },
    { headers: ["a"] },
    { headers: { "X-A": 1 } },
    { paused: "yes" },
  ]) {
    const refused = await create(more);
    expect([...outcomeOf(refused), refused.message]).toEqual([
      422,
      "validation_failed",
      expect.stringMatching(/headers|paused/u),
    ]);
  }
  expect((await world.ask("GET /console/api/webhooks")).rows).toEqual([]);
});

it("a webhook that is created paused is tested until its endpoint accepts, and sends after it was resumed", async () => {
  await using world = await openConsole();
  const { path, secret } = await world.createWebhook("/hooks", { paused: true });
  const test = () => world.ask(`POST ${path}/test`);
  expect((await world.ask(`GET ${path}`)).data).toMatchObject({
    status: "paused",
    status_reason: "person",
    status_changed_at: expect.any(String),
    verified: false,
  });
  expect(await world.publish("rev_1")).toEqual([]);
  world.answerWith(500);
  expect((await test()).data).toMatchObject({ status: 500 });
  expect(await verifiedOf(world, path)).toBe(false);
  world.answerWith(204);
  expect((await test()).data).toMatchObject({ status: 204, error: null });
  expect((await world.ask(`GET ${path}`)).data).toMatchObject({
    status: "paused",
    verified: true,
    missed: 1,
    last_success_at: null,
  });
  const refused = await test();
  expect([...outcomeOf(refused), refused.message]).toEqual([
    409,
    "invalid_state",
    expect.stringContaining("Resume it first"),
  ]);
  expect((await world.ask(`POST ${path}/resume`)).data).toMatchObject({ status: "active", verified: true });
  await world.publish("rev_2");
  await world.settled();
  const sent = world.received.at(-1) ?? { headers: {}, body: "" };
  expect(verifySync({ ...sent, secrets: secret }).id).toBe("review.submitted_rev_2");
});

it("the first accepted delivery verifies a webhook, which can then not be tested while it is paused", async () => {
  await using world = await openConsole({ retryDelaysSeconds: [] });
  const { path } = await world.createWebhook();
  world.answerWith(500);
  await world.publish("rev_1");
  await world.settled();
  expect(await verifiedOf(world, path)).toBe(false);
  world.answerWith(204);
  await world.publish("rev_2");
  await world.settled();
  expect(await verifiedOf(world, path)).toBe(true);
  await world.ask(`POST ${path}/pause`);
  expect(outcomeOf(await world.ask(`POST ${path}/test`))).toEqual([409, "invalid_state"]);
  await world.ask(`DELETE ${path}`);
  expect(await verifiedOf(world, path)).toBe(true);
});

it("only the first accepted test writes the row of its webhook", async () => {
  const store = memoryStore();
  await using world = await openConsole({ store });
  const { path, id } = await world.createWebhook();
  const rowOf = async () => {
    const rows = await store.list({ prefix: webhookRows, limit: 100 });
    return rows.find(({ key }) => key.at(-1) === id)?.value;
  };
  const before = await rowOf();
  world.answerWith(500);
  await world.ask(`POST ${path}/test`);
  expect(await rowOf()).toBe(before);
  world.answerWith(204);
  await world.ask(`POST ${path}/test`);
  const verified = await rowOf();
  expect(verified).not.toBe(before);
  await world.ask(`POST ${path}/test`);
  expect(await rowOf()).toBe(verified);
});

it("a webhook of an earlier version is verified if the log has an accepted test", async () => {
  const store = memoryStore();
  await using world = await openConsole({ store, retryDelaysSeconds: [] });
  const created = [await world.createWebhook("/tested"), await world.createWebhook("/failed")];
  const [tested, failed] = created;
  await world.ask(`POST ${tested?.path}/test`);
  world.answerWith(500);
  await world.ask(`POST ${failed?.path}/test`);
  for (const { key, value } of await store.list({ prefix: webhookRows, limit: 100 })) {
    const { test_accepted_at: _, ...row } = JSON.parse(value);
    await store.commit(key[0], { mutations: [{ type: "set", key, value: JSON.stringify(row) }] });
  }
  expect(await Promise.all(created.map(({ path }) => verifiedOf(world, path)))).toEqual([true, false]);
  for (const { path } of created) await world.ask(`DELETE ${path}`);
  expect(await Promise.all(created.map(({ path }) => verifiedOf(world, path)))).toEqual([true, false]);
});

it("a key creates, tests and resumes its own webhooks, and sees none of another key", async () => {
  await using world = await openConsole();
  const { hookwright, origin } = world;
  const [own, other] = await Promise.all(
    ["own", "other"].map(async (name) => (await hookwright.apiKeys.create("acc_1", { name })).api_key),
  );
  const ask = async (key: string | undefined, target: string, json?: unknown) => {
    const [method = "", path = ""] = target.split(" ");
    const response = await hookwright.fetch(
      new Request(`http://localhost/developer/v1/webhooks${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  const input = {
    events: ["review.submitted"],
    target_url: `${origin}/key`,
    name: "Warehouse",
    paused: true,
  };
  const created = await ask(own, "POST ", input);
  expect(created).toMatchObject({
    status: 201,
    body: {
      data: {
        name: "Warehouse",
        status: "paused",
        verified: false,
        created_by: { type: "key", name: "own" },
      },
    },
  });
  const { id } = created.body.data;
  for (const action of ["test", "pause", "resume"])
    expect((await ask(other, `POST /${id}/${action}`)).status).toBe(404);
  expect((await ask(own, `POST /${id}/test`)).body.data).toMatchObject({ status: 204 });
  expect((await ask(own, "GET ")).body.data).toMatchObject([{ id, verified: true }]);
  expect((await ask(own, `POST /${id}/resume`)).body.data).toMatchObject({ id, status: "active" });
  expect((await ask(own, `POST /${id}/pause`)).body.data).toMatchObject({ id, status: "paused" });
});
