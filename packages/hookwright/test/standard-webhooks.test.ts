import { verifySync } from "@hookwright/signature/node";
import { sampleDeliveryBody } from "@hookwright/domain";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { openConsole } from "./support/open-console.ts";
import type { World } from "./support/open-console.ts";
import type { Received } from "./support/open-receiver.ts";

interface Secrets {
  readonly ours: string;
  readonly standard: string;
}

function secretsOf(data: Readonly<Record<string, unknown>>): Secrets {
  return { ours: String(data["signing_secret"]), standard: String(data["standard_signing_secret"]) };
}

async function createWebhook(world: World): Promise<Secrets & { readonly path: string }> {
  const created = await world.ask("POST /console/api/webhooks", {
    event: "review.submitted",
    target_url: `${world.origin}/hooks`,
  });
  expect(created.status).toBe(201);
  return { path: `/console/api/webhooks/${String(created.data["id"])}`, ...secretsOf(created.data) };
}

function last(world: World): Received {
  const received = world.received.at(-1);
  if (received === undefined) throw new Error("no delivery arrived");
  return received;
}

/** Verifies a delivery with the reference library, exactly as its readme does. */
function verify({ headers, body }: Received, secret: string): unknown {
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new Webhook(secret).verify(body.toString(), Object.fromEntries(named));
}

describe("with Standard Webhooks, the reference library verifies", () => {
  it("deliveries, resends and tests, which our verifier still accepts", async () => {
    await using world = await openConsole({ standardWebhooks: true });
    const { path, ours, standard } = await createWebhook(world);
    const [delivery] = await world.publish("rev_1");
    await world.settled();
    const sent = last(world);
    expect(sent.headers).toMatchObject({
      "webhook-id": "review.submitted_rev_1",
      "webhook-timestamp": sent.headers["x-service-timestamp"],
    });
    expect(verify(sent, standard)).toMatchObject({ id: "review.submitted_rev_1" });
    expect(verifySync({ ...sent, secrets: ours }).id).toBe("review.submitted_rev_1");

    await world.ask(`POST /console/api/deliveries/${delivery}/resend`);
    await expect.poll(() => world.received.length).toBe(2);
    expect(verify(last(world), standard)).toEqual(JSON.parse(sent.body.toString()));

    await world.ask(`POST ${path}/test`);
    expect(verify(last(world), standard)).toMatchObject({ event: "review.submitted" });
    expect(() => verify(last(world), `whsec_${btoa("another secret")}`)).toThrow("No matching signature");
  });

  it("every attempt, and the log shows the headers as they were sent", async () => {
    await using world = await openConsole({ standardWebhooks: true });
    const { standard } = await createWebhook(world);
    world.answerWith(500);
    const [delivery] = await world.publish("rev_1");
    await expect.poll(() => world.received.length, { timeout: 5_000 }).toBe(2);
    const attempts = async () => {
      const { data } = await world.ask(`GET /console/api/deliveries/${delivery}`);
      const list: unknown = data["attempts"];
      return Array.isArray(list) ? list : [];
    };
    await expect.poll(async () => (await attempts()).length).toBe(2);
    const logged = await attempts();
    for (const [index, received] of world.received.entries()) {
      expect(verify(received, standard)).toMatchObject({ id: "review.submitted_rev_1" });
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
        expect(logged[index].request.headers[name]).toBe(received.headers[name]);
    }
  });

  it("an id with characters that no header may have: they are percent-encoded, and signed in that form", async () => {
    await using world = await openConsole({ standardWebhooks: true });
    const { standard } = await createWebhook(world);
    const { data } = sampleDeliveryBody("review.submitted");
    await world.hookwright.publish({
      event: "review.submitted",
      project_id: "site_1",
      data: { ...data, id: "№7/é%" },
    });
    await expect.poll(() => world.received.length).toBe(1);
    expect(last(world).headers["webhook-id"]).toBe("review.submitted_%E2%84%967/%C3%A9%");
    expect(verify(last(world), standard)).toMatchObject({ id: "review.submitted_№7/é%" });
  });

  it("deliveries during a rotation with the current secret, and tests with the new one", async () => {
    await using world = await openConsole({ standardWebhooks: true });
    const { path, ours, standard: before } = await createWebhook(world);
    const { standard: after } = secretsOf((await world.ask(`POST ${path}/rotate`)).data);
    await world.publish("rev_1");
    await world.settled();
    expect(String(last(world).headers["webhook-signature"]).split(" ")).toHaveLength(1);
    expect(verify(last(world), before)).toBeDefined();
    expect(verifySync({ ...last(world), secrets: ours }).id).toBe("review.submitted_rev_1");

    await world.ask(`POST ${path}/test`);
    expect(verify(last(world), after)).toBeDefined();
    expect(() => verify(last(world), before)).toThrow("No matching signature");

    await world.ask(`POST ${path}/rotate/finish`);
    await world.publish("rev_2");
    await world.settled();
    expect(String(last(world).headers["webhook-signature"]).split(" ")).toHaveLength(1);
    expect(verify(last(world), after)).toBeDefined();
  });
});

it("without the option there are no such headers, and no second form of the secret", async () => {
  await using world = await openConsole();
  const { path, standard } = await createWebhook(world);
  expect(standard).toBe("undefined");
  expect((await world.ask(`POST ${path}/rotate`)).data).not.toHaveProperty("standard_signing_secret");
  await world.publish("rev_1");
  await world.settled();
  const names = Object.keys(last(world).headers);
  expect(names.filter((name) => name.startsWith("webhook-"))).toEqual([]);
});

it("no other response has a secret in either form, and the public API has only ours", async () => {
  await using world = await openConsole({ standardWebhooks: true });
  const { ours, standard } = await createWebhook(world);
  const shown = JSON.stringify((await world.ask("GET /console/api/webhooks")).rows);
  expect([shown.includes(ours), shown.includes(standard)]).toEqual([false, false]);
  const created = await world.ask("POST /v1/webhooks", {
    event: "order.paid",
    target_url: `${world.origin}/orders`,
  });
  expect(created.data).toHaveProperty("signing_secret");
  expect(created.data).not.toHaveProperty("standard_signing_secret");
});
