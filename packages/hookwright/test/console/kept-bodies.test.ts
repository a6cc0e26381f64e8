import { sampleDeliveryBody } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";
import type { World } from "../support/open-console.ts";

const customer = "Ada Private";

/** Publishes a review of the shop that names the customer. Returns the id of its delivery. */
async function publish({ hookwright, site }: World, recordId = "rev_1", text = customer): Promise<string> {
  const data = { ...sampleDeliveryBody("review.submitted").data, id: recordId, content: text };
  const { deliveries } = await hookwright.publish({ event: "review.submitted", project_id: site, data });
  return deliveries[0] ?? "";
}

async function attemptsOf({ ask }: World, id: string) {
  const { attempts } = (await ask(`GET /console/api/deliveries/${id}`)).data;
  if (!Array.isArray(attempts)) throw new Error("a delivery has attempts");
  return attempts;
}

async function madeAttempts(world: World, id: string, count: number) {
  await expect.poll(async () => (await attemptsOf(world, id)).length).toBe(count);
  return attemptsOf(world, id);
}

/** The tables that have the customer's name. */
async function tablesWithName(store: Store): Promise<readonly unknown[]> {
  const found = new Set<unknown>();
  for (const partition of partitions)
    for (const { key, value } of await store.list({ prefix: [partition], limit: 10_000 }))
      if (value.includes(customer)) found.add(key[1]);
  return [...found];
}

const gone = { request: { body: null, headers: expect.anything() }, excerpt: null, body_state: "not_kept" };

it("with none, the log never has a body, and the delivery is retried and sent again all the same", async () => {
  const store = memoryStore();
  await using world = await openConsole({ store, keepBodies: "none", retryDelaysSeconds: [0.05] });
  const { path } = await world.createWebhook();
  world.answerWith(500);
  const id = await publish(world);
  expect(await madeAttempts(world, id, 2)).toMatchObject([gone, gone]);
  expect(await tablesWithName(store)).toEqual(["record"]);
  world.answerWith(204);
  const resent = await world.ask(`POST /console/api/deliveries/${id}/resend`);
  expect(await madeAttempts(world, String(resent.data["id"]), 1)).toMatchObject([{ ...gone, status: 204 }]);
  expect(new Set(world.received.map(({ body }) => body.toString())).size).toBe(1);
  expect(world.received[0]?.body.toString()).toContain(customer);
  // The answer of a test is for the person who asked, and not for the log.
  const tested = await world.ask(`POST ${path}/test`, { data: { content: customer } });
  expect(tested.data).toMatchObject({
    body_state: "kept",
    request: { body: expect.stringContaining(customer) },
  });
  expect(await tablesWithName(store)).toEqual(["record"]);
});

it("what needs a body that was not kept says so", async () => {
  await using world = await openConsole({ keepBodies: "none" });
  const { path } = await world.createWebhook();
  const id = await publish(world);
  await madeAttempts(world, id, 1);
  const refused = [
    await world.ask(`GET /console/api/deliveries/${id}/attempts/1/body`),
    await world.ask(`POST /console/api/deliveries/${id}/attempts/1/compare`, { received: "{}" }),
    await world.ask(`POST ${path}/test`, { delivery_id: id }),
  ];
  for (const { status, code, message } of refused)
    expect([status, code, message]).toEqual([
      409,
      "invalid_state",
      "The bodies of attempt 1 are not in the log. The log of this account keeps no bodies, or none of accepted deliveries. A resend sends the record as it is now.",
    ]);
  const { data } = await world.ask(`POST /console/api/deliveries/${id}/share`, { days: 1 });
  const token = String(data["url"]).split("/").at(-1);
  expect((await world.ask(`GET /console/api/shared/${token}`)).data).toMatchObject({ attempts: [gone] });
});

it("with until_accepted, the commit that accepts a delivery removes the bodies of all its attempts", async () => {
  const store = memoryStore();
  await using world = await openConsole({ store, keepBodies: "until_accepted", retryDelaysSeconds: [0.05] });
  await world.createWebhook();
  world.answerWith("nothing");
  const accepted = await publish(world, "rev_1");
  await expect.poll(() => world.received.length).toBe(1);
  world.answerWith(500);
  world.answerWith(204);
  expect(await madeAttempts(world, accepted, 2)).toMatchObject([gone, { ...gone, status: 204 }]);
  expect(await tablesWithName(store)).toEqual(["record"]);
  await publish(world, "rev_1", "replaced");

  world.answerWith(500);
  const failed = await publish(world, "rev_2");
  const kept = { body_state: "kept", excerpt: "", request: { body: expect.stringContaining(customer) } };
  expect(await madeAttempts(world, failed, 2)).toMatchObject([kept, kept]);
  // Replaced data is in the attempts that sent it, and nowhere else.
  await publish(world, "rev_2", "replaced");
  expect(await tablesWithName(store)).toEqual(["delivery"]);
});

it("the host decides for an account, which counts for attempts from then on", async () => {
  await using world = await openConsole({ keepBodies: "none" });
  const { hookwright, account, email } = world;
  await world.createWebhook();
  expect((await world.ask("GET /console/api/account")).data).toMatchObject({ retention: { bodies: "none" } });
  await hookwright.accounts.put(account, { email, retention: { bodies: "all" } });
  expect((await world.ask("GET /console/api/account")).data).toMatchObject({ retention: { bodies: "all" } });
  const id = await publish(world);
  const [attempt] = await madeAttempts(world, id, 1);
  expect(attempt).toMatchObject({ body_state: "kept", request: { body: expect.stringContaining(customer) } });
  await hookwright.accounts.put(account, { email, retention: { bodies: null } });
  expect(await attemptsOf(world, id)).toMatchObject([{ body_state: "kept" }]);
  expect(await madeAttempts(world, await publish(world, "rev_2"), 1)).toMatchObject([gone]);
  const { rows } = await world.ask("GET /console/api/audit?action=account.updated");
  expect(rows[0]).toMatchObject({
    changes: [{ field: "retention.bodies", old: "all", new: null }],
  });
});
