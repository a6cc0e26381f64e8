import type { Attempt } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { verifySync } from "@hookwright/signature/node";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { openConsole } from "./support/open-console.ts";
import type { World } from "./support/open-console.ts";

const keysOf = (body: string): readonly string[] => Object.keys(JSON.parse(body));
const bodiesOf = ({ received }: World): readonly string[] => received.map(({ body }) => body.toString());

const usual = ["id", "event", "project", "data"];
const standard = ["type", "timestamp", "data", "id", "project"];

async function loggedBodies(
  world: World,
  deliveryId: string | undefined,
): Promise<readonly (string | null)[]> {
  const { data } = await world.ask(`GET /console/api/deliveries/${deliveryId}`);
  const { attempts = [] }: { readonly attempts?: readonly Attempt[] } = data;
  return attempts.map(({ request }) => request.body);
}

it("the form of the server: retries and resends have the same body and time, and the log has the sent bytes after a change", async () => {
  const store = memoryStore();
  let sent: readonly string[] = [];
  let delivery: string | undefined;
  let path = "";
  {
    await using world = await openConsole({ store, bodyForm: "standard", standardWebhooks: true });
    const created = await world.ask("POST /console/api/webhooks", {
      event: "review.submitted",
      target_url: `${world.origin}/hooks`,
    });
    path = `/console/api/webhooks/${String(created.data["id"])}`;
    world.answerWith(500);
    [delivery] = await world.publish("rev_1");
    await expect.poll(() => world.received.length).toBe(2);
    world.answerWith(204);
    await expect.poll(async () => (await loggedBodies(world, delivery)).length).toBe(2);
    const resent = await world.ask(`POST /console/api/deliveries/${delivery}/resend`);
    await expect.poll(() => world.received.length).toBe(3);
    const again = await world.ask(`POST /console/api/deliveries/${String(resent.data["id"])}/resend`);
    expect(again.status).toBe(201);
    await expect.poll(() => world.received.length).toBe(4);
    sent = bodiesOf(world);
    expect(new Set(sent).size).toBe(1);
    expect(keysOf(sent[0] ?? "")).toEqual(standard);
    const { data } = await world.ask(`GET /console/api/deliveries/${delivery}`);
    expect(JSON.parse(sent[0] ?? "")).toMatchObject({
      type: "review.submitted",
      timestamp: data["created_at"],
      id: "review.submitted_rev_1",
      project: { id: "site_1" },
    });

    await world.ask(`POST ${path}/test`);
    expect(bodiesOf(world).map(keysOf)[4]).toEqual(standard);
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = world.received;
    const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    const library = new Webhook(String(created.data["standard_signing_secret"]));
    expect(library.verify(body.toString(), Object.fromEntries(named))).toMatchObject({
      type: "review.submitted",
    });
    const secrets = String(created.data["signing_secret"]);
    expect(verifySync({ headers, body, secrets })).toMatchObject({
      id: "review.submitted_rev_1",
      event: "review.submitted",
      project: { id: "site_1" },
      data: { id: "rev_1" },
    });
  }
  await using world = await openConsole({ store });
  expect(await loggedBodies(world, delivery)).toEqual(sent.slice(0, 2));
  await world.ask(`PATCH ${path}`, { target_url: `${world.origin}/hooks` });
  await world.publish("rev_2");
  await world.settled();
  expect(bodiesOf(world).map(keysOf)).toEqual([usual]);
});

it("the form of a webhook stands over that of the server, and null brings the latter back", async () => {
  await using world = await openConsole();
  const { path } = await world.createWebhook("/hooks", { body_form: "standard" });
  const form = async () => (await world.ask(`GET ${path}`)).data["body_form"];
  const [delivery] = await world.publish("rev_1");
  await world.settled();
  expect(await form()).toBe("standard");
  await world.ask(`POST ${path}/test`);
  expect((await world.ask(`PATCH ${path}`, { body_form: null })).status).toBe(200);
  expect(await form()).toBeNull();
  await world.publish("rev_2");
  await world.settled();
  expect(bodiesOf(world).map(keysOf)).toEqual([standard, standard, usual]);
  expect(await loggedBodies(world, delivery)).toEqual([bodiesOf(world)[0]]);
  expect(await world.ask(`PATCH ${path}`, { body_form: "svix" })).toMatchObject({
    status: 422,
    message: expect.stringContaining("body_form"),
  });
});
