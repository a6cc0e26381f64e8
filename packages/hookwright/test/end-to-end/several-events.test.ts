import { sampleDeliveryBody } from "@hookwright/domain";
import { checkStore } from "@hookwright/service";
import type { Damage } from "@hookwright/service";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openWorld } from "./support/open-world.ts";
import type { World } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { memory } from "./support/storages.ts";

const events = {
  "cart.abandoned": {
    schema: z.object({ id: z.string() }),
    sample: { id: "cart_1" },
    description: "A customer leaves.",
  },
};
const owner = { accountId: "acc_1", credential: { type: "console" } } as const;

const review = { ...sampleDeliveryBody("review.submitted").data };

async function publishAll({ publishEvent }: World, suffix: string): Promise<void> {
  await publishEvent("order.created", order(`ord_${suffix}`));
  await publishEvent("order.paid", order(`ord_${suffix}`, { status: "paid" }));
  await publishEvent("review.submitted", { ...review, id: `rev_${suffix}` });
  await publishEvent("cart.abandoned", { id: `cart_${suffix}` });
}

async function waitUntilAllSent({ hookwright }: World): Promise<void> {
  await expect.poll(() => hookwright.deliveries.count("acc_1", {})).toMatchObject({ pending: 0 });
}

async function damageOf({ store }: World): Promise<readonly Damage[]> {
  const found: Damage[] = [];
  await checkStore({ store, onDamage: (damage) => void found.push(damage) });
  return found;
}

const bodyIds = ({ receiver }: World): string[] =>
  receiver.received.map(({ body }) => String(JSON.parse(body).id)).toSorted();

describe("a webhook with several events", () => {
  it("is one webhook for a set of events and a URL, whatever the order of the names", async () => {
    await using world = await openWorld(memory);
    const target_url = `${world.receiver.origin}/hooks`;
    const post = (json: object) => world.ask("POST /v1/webhooks", { json: { target_url, ...json } });
    const created = await post({ events: ["order.paid", "order.created", "order.paid"] });
    const { signing_secret: secret, ...webhook } = created.data;
    expect(created.status).toBe(201);
    expect(secret).toMatch(/^whsec_/u);
    expect(webhook).toMatchObject({ event: "*", events: ["order.created", "order.paid"] });
    const again = await post({ events: ["order.created", "order.paid"] });
    expect([again.status, again.data]).toEqual([200, webhook]);
    const one = await post({ event: "order.paid" });
    expect(one.data).toMatchObject({ event: "order.paid", events: ["order.paid"] });
    expect((await post({ events: ["order.paid"] })).data.id).toBe(one.data.id);
    expect((await post({ events: ["*"] })).data).toMatchObject({ event: "*", events: ["*"] });
    expect((await world.ask("GET /v1/webhooks")).rows).toHaveLength(3);
    expect((await world.ask(`GET /v1/webhooks/${webhook.id}`)).data).toEqual(webhook);

    const refused = async (json: object) => {
      const { error } = await post(json);
      return [error?.code, error?.message];
    };
    expect(await refused({})).toEqual(["validation_failed", "event: is required, or `events`"]);
    expect(await refused({ event: "order.paid", events: ["order.paid"] })).toEqual([
      "validation_failed",
      "events: cannot be sent with `event`",
    ]);
    expect((await refused({ events: ["*", "order.paid"] }))[0]).toBe("validation_failed");
    const repeated = (count: number) => Array.from({ length: count }, () => "order.paid");
    expect((await post({ events: repeated(100) })).data.id).toBe(one.data.id);
    expect(await refused({ events: repeated(101) })).toEqual([
      "validation_failed",
      "events: must have at most 100 entries",
    ]);
    expect(await refused({ events: Array.from({ length: 51 }, (_, index) => `order.e${index}`) })).toEqual([
      "validation_failed",
      "events: must have at most 50 different entries",
    ]);
    const lists = "GET /v1/event-types lists them";
    expect(await refused({ events: ["order.paid", "invoice.voided"] })).toEqual([
      "unknown_event",
      `events.1: \`invoice.voided\` is not a known event; ${lists}`,
    ]);
    expect(await refused({ events: ["order.paid", " order.created"] })).toEqual([
      "unknown_event",
      `events.1: is not a known event; did you mean \`order.created\`? ${lists}`,
    ]);
    expect(await refused({ events: ["order.paid", ""] })).toEqual([
      "unknown_event",
      `events.1: is not a known event; ${lists}`,
    ]);
  });

  it("gets each of its events once, and all of them with *, own events included", async () => {
    await using world = await openWorld(memory, { events });
    const { hookwright, receiver } = world;
    const subscribe = (names: readonly string[]) =>
      hookwright.webhooks.create(owner, { events: names, target_url: `${receiver.origin}/hooks` });
    const { webhook: two } = await subscribe(["order.paid", "review.submitted"]);
    await publishAll(world, "1");
    await waitUntilAllSent(world);
    expect(bodyIds(world)).toEqual(["order.paid_ord_1", "review.submitted_rev_1"]);
    await hookwright.webhooks.remove("acc_1", two.id);

    const { webhook: all } = await subscribe(["*"]);
    await publishAll(world, "2");
    await waitUntilAllSent(world);
    expect(bodyIds(world)).toEqual([
      "cart.abandoned_cart_2",
      "order.created_ord_2",
      "order.paid_ord_1",
      "order.paid_ord_2",
      "review.submitted_rev_1",
      "review.submitted_rev_2",
    ]);
    const { rows } = await hookwright.deliveries.list("acc_1", { webhook_id: all.id, event: "order.paid" });
    expect(rows.map(({ body_id }) => body_id)).toEqual(["order.paid_ord_2"]);
    expect(await hookwright.deliveries.count("acc_1", { webhook_id: all.id })).toMatchObject({ all: 4 });
    await expect
      .poll(async () => (await hookwright.webhooks.get("acc_1", all.id)).last_success_at)
      .not.toBeNull();
    expect(await damageOf(world)).toEqual([]);
  });

  it("gets a test of the event that is asked for, otherwise of its first one", async () => {
    await using world = await openWorld(memory);
    const { hookwright, receiver } = world;
    const input = { events: ["review.submitted", "order.paid"], target_url: `${receiver.origin}/hooks` };
    const { webhook } = await hookwright.webhooks.create(owner, input);
    const tested = async (asked?: { readonly event: string }) => {
      await hookwright.webhooks.sendTest("acc_1", webhook.id, asked);
      return receiver.received.at(-1)?.headers["x-service-event"];
    };
    expect(await tested()).toBe("order.paid");
    expect(await tested({ event: "review.submitted" })).toBe("review.submitted");
    const refused = (event: string) => hookwright.webhooks.sendTest("acc_1", webhook.id, { event });
    await expect(refused("order.created")).rejects.toMatchObject({ code: "validation_failed" });
    await expect(refused("order.shipped")).rejects.toMatchObject({ code: "unknown_event" });
    const all = { events: ["*"], target_url: `${receiver.origin}/hooks` };
    const { webhook: every } = await hookwright.webhooks.create(owner, all);
    await hookwright.webhooks.sendTest("acc_1", every.id);
    expect(receiver.received.at(-1)?.headers["x-service-event"]).toBe("order.created");
  });

  it("can get other events: what waits is still sent, the rest follows the new ones", async () => {
    await using world = await openWorld(memory);
    const { hookwright, receiver } = world;
    const target_url = `${receiver.origin}/hooks`;
    const { webhook } = await hookwright.webhooks.create(owner, { event: "order.created", target_url });
    const rival = await hookwright.webhooks.create(owner, {
      events: ["order.paid", "order.created"],
      target_url,
    });
    const change = (names: readonly string[]) =>
      hookwright.webhooks.update("acc_1", webhook.id, { events: names });
    await expect(change(["order.created", "order.paid"])).rejects.toMatchObject({ code: "invalid_state" });
    await hookwright.webhooks.remove("acc_1", rival.webhook.id);

    receiver.answerWith(500);
    const { data } = await world.publishEvent("order.created", order("ord_1"));
    const [waiting = ""] = data.deliveries;
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    expect(await change(["review.submitted", "order.paid"])).toMatchObject({
      event: "*",
      events: ["order.paid", "review.submitted"],
    });
    receiver.answerWith(204);
    await expect.poll(() => world.statusOf(waiting)).toBe("delivered");
    await publishAll(world, "2");
    await waitUntilAllSent(world);
    expect(bodyIds(world).filter((id) => id.endsWith("_2"))).toEqual([
      "order.paid_ord_2",
      "review.submitted_rev_2",
    ]);
    expect(await change(["order.created"])).toMatchObject({
      event: "order.created",
      events: ["order.created"],
    });
    await publishAll(world, "3");
    await waitUntilAllSent(world);
    expect(bodyIds(world).filter((id) => id.endsWith("_3"))).toEqual(["order.created_ord_3"]);
    expect(await hookwright.deliveries.count("acc_1", { event: "order.paid" })).toMatchObject({ all: 1 });
    expect(await damageOf(world)).toEqual([]);
  });

  it("that is removed by a 410 leaves nothing behind, and its events go nowhere", async () => {
    await using world = await openWorld(memory);
    const { hookwright, receiver } = world;
    for (const path of ["/a", "/b"])
      await hookwright.webhooks.create(owner, { events: ["*"], target_url: receiver.origin + path });
    receiver.answerWith(410);
    await world.publishEvent("order.created", order("ord_1"));
    await expect.poll(async () => (await hookwright.webhooks.list("acc_1")).rows).toEqual([]);
    expect((await world.publishEvent("order.paid", order("ord_1"))).data.deliveries).toEqual([]);
    const { rows } = await hookwright.webhooks.listRemoved("acc_1");
    expect(rows.map(({ events: names }) => names)).toEqual([["*"], ["*"]]);
    expect(await damageOf(world)).toEqual([]);
  });
});
