import { verifySync } from "@hookwright/signature/node";
import { sampleDeliveryBody } from "@hookwright/domain";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
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
    await expect.poll(() => world.received.length).toBe(2);
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

  it("deliveries and tests during a rotation with both secrets", async () => {
    await using world = await openConsole({ standardWebhooks: true });
    const { path, ours, standard: before } = await createWebhook(world);
    const { ours: newSecret, standard: after } = secretsOf((await world.ask(`POST ${path}/rotate`)).data);
    await world.publish("rev_1");
    await world.settled();
    expect(String(last(world).headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect(verify(last(world), before)).toBeDefined();
    expect(verify(last(world), after)).toBeDefined();
    expect(verifySync({ ...last(world), secrets: ours }).id).toBe("review.submitted_rev_1");

    await world.ask(`POST ${path}/test`);
    expect(String(last(world).headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect(verify(last(world), before)).toBeDefined();
    expect(verify(last(world), after)).toBeDefined();
    expect(verifySync({ ...last(world), secrets: newSecret }).test).toBe(true);
    expect(() => verifySync({ ...last(world), secrets: ours })).toThrow(
      expect.objectContaining({ code: "signature_mismatch" }),
    );

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

describe.each([24, 33, 64])(
  "a secret of Standard Webhooks with %i bytes that the creation brings",
  (size) => {
    it("verifies every delivery before, during and after a rotation", async () => {
      await using world = await openConsole({ standardWebhooks: true });
      const own = `whsec_${Buffer.from(Array.from({ length: size }, (_, index) => 255 - index)).toString("base64")}`;
      const created = await world.ask("POST /v1/webhooks", {
        events: ["*"],
        target_url: `${world.origin}/hooks`,
        signing_secret: own,
      });
      expect(secretsOf(created.data)).toEqual({ ours: own, standard: own });
      const path = `/console/api/webhooks/${String(created.data["id"])}`;
      const publish = async (recordId: string): Promise<Received> => {
        await world.publish(recordId);
        await world.settled();
        return last(world);
      };
      const before = await publish("rev_1");
      expect(verify(before, own)).toBeDefined();
      expect(verifySync({ ...before, secrets: own }).id).toBe("review.submitted_rev_1");

      const rotated = secretsOf((await world.ask(`POST ${path}/rotate`)).data);
      const during = await publish("rev_2");
      for (const secret of [own, rotated.standard]) expect(verify(during, secret)).toBeDefined();
      expect(verifySync({ ...during, secrets: own }).id).toBe("review.submitted_rev_2");

      await world.ask(`POST ${path}/rotate/finish`);
      const after = await publish("rev_3");
      expect(verify(after, rotated.standard)).toBeDefined();
      expect(() => verify(after, own)).toThrow("No matching signature");
      expect(verifySync({ ...after, secrets: rotated.ours }).id).toBe("review.submitted_rev_3");
    });
  },
);

it("a receiver that verifies with one secret and the library of Svix accepts every delivery while the secret is rotated", async () => {
  await using world = await openConsole({ standardWebhooks: true });
  // The form in which Svix shows the secret of an endpoint.
  const before = `whsec_${Buffer.from(Array.from({ length: 24 }, (_, index) => index * 7)).toString("base64")}`;
  let secret = before;
  const { path } = await world.createWebhook("/hooks", { signing_secret: secret });
  const accepted: string[] = [];
  const receive = async (recordId: string): Promise<void> => {
    await world.publish(recordId);
    await world.settled();
    const { headers, body } = last(world);
    const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    new SvixWebhook(secret).verify(body.toString(), Object.fromEntries(named));
    accepted.push(recordId);
  };
  await receive("before");
  const { standard } = secretsOf((await world.ask(`POST ${path}/rotate`)).data);
  await receive("rotating");
  secret = standard;
  await receive("replaced");
  await world.ask(`POST ${path}/rotate/finish`);
  await receive("after");
  expect(accepted).toEqual(["before", "rotating", "replaced", "after"]);
  secret = before;
  await expect(receive("refused")).rejects.toThrow("No matching signature");
});

it("a secret that the creation brings signs as it is, and an existing webhook ignores it", async () => {
  await using world = await openConsole({ standardWebhooks: true });
  const create = (signing_secret: string) =>
    world.ask("POST /console/api/webhooks", {
      event: "review.submitted",
      target_url: `${world.origin}/hooks`,
      signing_secret,
    });
  for (const refused of ["x".repeat(23), "x".repeat(129), `${"x".repeat(30)} `, "é".repeat(30)]) {
    const { code, message } = await create(refused);
    expect([code, message]).toEqual([
      "validation_failed",
      "signing_secret: must be 24 to 128 visible ASCII characters",
    ]);
  }
  const own = "a-secret-of-another-sender!";
  const { data } = await create(own);
  expect(secretsOf(data)).toEqual({ ours: own, standard: `whsec_${btoa(own)}` });
  const again = await create("another-secret-of-the-sender");
  expect([again.status, again.data["signing_secret"]]).toEqual([200, undefined]);
  await world.publish("rev_1");
  await world.settled();
  expect(verify(last(world), `whsec_${btoa(own)}`)).toBeDefined();
  expect(verifySync({ ...last(world), secrets: own }).id).toBe("review.submitted_rev_1");
});

it("no other response has a secret in either form", async () => {
  await using world = await openConsole({ standardWebhooks: true });
  const { ours, standard } = await createWebhook(world);
  const shown = JSON.stringify((await world.ask("GET /console/api/webhooks")).rows);
  expect([shown.includes(ours), shown.includes(standard)]).toEqual([false, false]);
  const created = await world.ask("POST /v1/webhooks", {
    event: "order.paid",
    target_url: `${world.origin}/orders`,
  });
  expect(created.data).toMatchObject({
    signing_secret: expect.any(String),
    standard_signing_secret: expect.any(String),
  });
  expect((await world.ask(`GET /v1/webhooks/${String(created.data["id"])}`)).data).not.toHaveProperty(
    "standard_signing_secret",
  );
});
