import type { Attempt } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { verifySync } from "@hookwright/signature/node";
import { describe, expect, it } from "vitest";
import { openConsole, openHookwright } from "./support/open-console.ts";
import type { World } from "./support/open-console.ts";

const ends = ["Event", "Delivery", "Timestamp", "Signature"];

/** The names of the signed headers of each received request, in lower case. */
const namesOf = ({ received }: World): readonly (readonly string[])[] =>
  received.map(({ headers }) => Object.keys(headers).filter((name) => /^x-(?:acme|service)-/u.test(name)));

async function attemptsOf(world: World, deliveryId: string | undefined): Promise<readonly Attempt[]> {
  const { data } = await world.ask(`GET /console/api/deliveries/${deliveryId}`);
  const { attempts }: { readonly attempts?: readonly Attempt[] } = data;
  return attempts ?? [];
}

describe("with headerPrefix X-Acme", () => {
  it("first attempts, retries, resends and tests have its names, and the log and the comparison too", async () => {
    await using world = await openConsole({ headerPrefix: "X-Acme" });
    const { path, secret } = await world.createWebhook();
    world.answerWith(500);
    const [delivery] = await world.publish("rev_1");
    await expect.poll(() => world.received.length).toBe(2);
    world.answerWith(204);
    await world.ask(`POST /console/api/deliveries/${delivery}/resend`);
    await expect.poll(() => world.received.length).toBe(3);
    await world.ask(`POST ${path}/test`);

    const names = ends.map((end) => `x-acme-${end.toLowerCase()}`);
    expect(namesOf(world)).toEqual([names, names, names, [...names, "x-acme-test"]]);
    const verified = world.received.map((each) =>
      verifySync({ ...each, secrets: secret, headerPrefix: "X-Acme" }),
    );
    expect(verified.map(({ test = false }) => test)).toEqual([false, false, false, true]);

    await expect.poll(async () => (await attemptsOf(world, delivery)).length).toBe(2);
    const [first] = await attemptsOf(world, delivery);
    expect(first?.request.headers).toMatchObject({
      "X-Acme-Delivery": delivery,
      "X-Acme-Signature": world.received[0]?.headers["x-acme-signature"],
    });
    const received = `X-Acme-Delivery: ${delivery}\r\nX-Acme-Timestamp: 5\r\nX-Acme-Signature: v1=a\r\n\r\n`;
    const compared = await world.ask(`POST /console/api/deliveries/${delivery}/attempts/1/compare`, {
      received,
    });
    expect(compared.data).toMatchObject({ problems: [{ problem: "other_request" }] });
  });

  it("attempts of before show the names that they were sent with, and their own headers give way", async () => {
    const store = memoryStore();
    const open = async (options: object) => openConsole({ store, ...options });
    let delivery: string | undefined;
    {
      await using world = await open({});
      await world.createWebhook("/hooks", { headers: { "X-Acme-Event": "mine", "X-Team": "ovens" } });
      [delivery] = await world.publish("rev_1");
      await world.settled();
      expect(world.received[0]?.headers).toMatchObject({ "x-acme-event": "mine", "x-team": "ovens" });
    }
    await using world = await open({ headerPrefix: "X-Acme" });
    const [first] = await attemptsOf(world, delivery);
    for (const end of ends) expect(first?.request.headers).toHaveProperty(`X-Service-${end}`);
    const { path } = await world.createWebhook();
    const refused = await world.ask(`PATCH ${path}`, { headers: { x_acme_signature: "a" } });
    expect(refused).toMatchObject({ status: 422, message: expect.stringContaining("is set by the sender") });
    for (const free of ["X-Service-Event", "X-Acme-Team"])
      expect((await world.ask(`PATCH ${path}`, { headers: { [free]: "ovens" } })).status).toBe(200);
    const own = (await world.ask("GET /console/api/webhooks")).rows.find(
      ({ id }) => !path.endsWith(String(id)),
    );
    const tested = await world.ask(`POST /console/api/webhooks/${String(own?.["id"])}/test`);
    const { request }: { readonly request?: Attempt["request"] } = tested.data;
    expect(request?.headers).toMatchObject({ "X-Acme-Event": "review.submitted", "X-Team": "(not stored)" });
  });

  it("the OpenAPI document and the page of the console name it", async () => {
    await using hookwright = await openHookwright({ headerPrefix: "X-Acme", bodyForm: "standard" });
    const read = async (path: string) =>
      (await hookwright.fetch(new Request(`http://localhost${path}`))).text();
    const document = JSON.parse(await read("/v1/openapi.json"));
    expect(
      document.webhooks["order.paid"].post.parameters.map(({ name }: { readonly name: string }) => name),
    ).toEqual([...ends, "Test"].map((end) => `X-Acme-${end}`));
    const { schema, example } = document.webhooks["order.paid"].post.requestBody.content["application/json"];
    const fields = ["type", "timestamp", "data", "id", "project"];
    expect([schema.required, Object.keys(example).toSorted()]).toEqual([fields, fields.toSorted()]);
    expect(await read("/console")).toContain('data-header-prefix="X-Acme"');
  });

  it.each([
    "",
    "X-",
    "-X",
    "X_Acme",
    "X Acme",
    "webhook",
    "Webhook-A",
    "Proxy",
    "content",
    "x".repeat(41),
    5,
  ])("%j is refused at the start", async (headerPrefix) => {
    await expect(openHookwright({ headerPrefix } as object)).rejects.toThrow(
      /headerPrefix: must be 1 to 40 letters, digits and hyphens, such as X-Acme/u,
    );
  });
});
