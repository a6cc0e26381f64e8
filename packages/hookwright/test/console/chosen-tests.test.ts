import { sampleDeliveryBody, specificationEvents } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { openConsole, openHookwright, openWorld } from "../support/open-console.ts";
import type { World } from "../support/open-console.ts";

const { data: review } = sampleDeliveryBody("review.submitted");

/** The newest body that the receiver got, and its headers. */
function lastOf({ received }: World) {
  const { headers, body } = received.at(-1) ?? {};
  return { headers, body: String(body) };
}

describe("a test with data", () => {
  it("sends it in place of the sample, under an id of its own", async () => {
    await using world = await openConsole();
    const { path } = await world.createWebhook();
    const { title: _, ...without } = { ...review, content: "Ünusual", rating: 1 };
    const tested = await world.ask(`POST ${path}/test`, { data: { ...without, id: "rev_1" } });
    expect([tested.status, tested.data["status"]]).toEqual([200, 204]);
    const { headers, body } = lastOf(world);
    expect(headers?.["x-service-test"]).toBe("1");
    const { id, data } = JSON.parse(body);
    expect(data).toMatchObject({ id: expect.stringMatching(/^test_/u), content: "Ünusual", rating: 1 });
    expect(id).toBe(`review.submitted_${data.id}`);
    expect(data.title ?? "").not.toBe(review.title);
  });

  it.each([
    [{ content: {} }, "data.content: "],
    [{ ratings: 5 }, "data.ratings: is not a field of review.submitted (did you mean rating?)"],
    [{ content: "x".repeat(300_000) }, "data: must be at most 256 KiB as JSON"],
  ])("that the event does not allow is refused, and its path is named", async (fields, message) => {
    await using world = await openConsole();
    const { path } = await world.createWebhook();
    const refused = await world.ask(`POST ${path}/test`, { data: { ...review, ...fields } });
    expect([refused.status, refused.code]).toEqual([422, "validation_failed"]);
    expect(refused.message).toContain(message);
    expect(world.received).toEqual([]);
  });

  it("takes the sample of every event as it is shown", async () => {
    await using world = await openConsole();
    const { data } = await world.ask("POST /console/api/webhooks", {
      events: ["*"],
      target_url: `${world.origin}/all`,
    });
    for (const { event, sample } of specificationEvents.types) {
      const body = { event, data: sample.data };
      const tested = await world.ask(`POST /console/api/webhooks/${String(data["id"])}/test`, body);
      expect([event, tested.message ?? tested.data["status"]]).toEqual([event, 204]);
      const { id: _, ...sent } = JSON.parse(lastOf(world).body).data;
      expect({ id: sample.data.id, ...sent }).toEqual(sample.data);
    }
  });
});

describe("a test of a delivery", () => {
  it("sends its last body byte for byte, and is not counted", async () => {
    await using world = await openConsole();
    const { path } = await world.createWebhook();
    world.answerWith(500);
    const [failed] = await world.publish("rev_1");
    await world.settled();
    const first = lastOf(world);
    const ledger = async () => (await world.ask("GET /console/api/ledger")).data["totals"];
    const before = await ledger();
    world.answerWith(204);
    const tested = await world.ask(`POST ${path}/test`, { delivery_id: failed });
    expect(tested.data).toMatchObject({ status: 204, request: { body: first.body } });
    const { headers, body } = lastOf(world);
    expect(body).toBe(first.body);
    expect(headers).toMatchObject({ "x-service-test": "1", "x-service-event": "review.submitted" });
    expect(headers?.["x-service-delivery"]).not.toBe(failed);
    expect(await ledger()).toEqual(before);
    // An event that only a test has delivered is still sent again.
    const { rows } = await world.ask("GET /console/api/deliveries?q=review.submitted_rev_1");
    expect(rows.map(({ kind, status }) => [kind, status])).toEqual([
      ["test", "delivered"],
      ["event", "pending"],
    ]);
    const again = await world.ask(`POST ${path}/test`, { delivery_id: rows[0]?.["id"] });
    expect(again.data).toMatchObject({ request: { body: first.body } });
  });

  it("is refused unless the webhook gets its event and its site, and it has sent something", async () => {
    await using hookwright = await openHookwright();
    await using world = await openWorld(hookwright);
    await using other = await openWorld(hookwright, { suffix: "_b" });
    const { path } = await world.createWebhook();
    const { path: ofBlog } = await world.createWebhook("/blog", { project_id: "site_2" });
    const orders = await world.ask("POST /console/api/webhooks", {
      event: "order.paid",
      target_url: `${world.origin}/orders`,
    });
    await other.createWebhook();
    const [sent] = await world.publish("rev_1");
    const [foreign] = await other.publish("rev_1");
    await Promise.all([world.settled(), other.settled()]);
    const count = world.received.length;
    const refused = async (route: string, body: object) => {
      const { status, message } = await world.ask(`POST ${route}/test`, body);
      return `${status} ${message}`;
    };
    expect(await refused(ofBlog, { delivery_id: sent })).toBe(
      "422 delivery_id: the webhook does not get events of the site site_1",
    );
    expect(await refused(`/console/api/webhooks/${String(orders.data["id"])}`, { delivery_id: sent })).toBe(
      "422 delivery_id: the webhook does not get review.submitted",
    );
    expect(await refused(path, { delivery_id: foreign })).toMatch(/^404 /u);
    expect(await refused(path, { delivery_id: "dlv_none" })).toMatch(/^404 /u);
    expect(await refused(path, { delivery_id: sent, event: "review.submitted" })).toBe(
      "422 delivery_id: cannot be sent together with event or data",
    );
    expect(world.received).toHaveLength(count);
  });

  it("is refused to an API key that did not create the webhook of the delivery", async () => {
    await using world = await openConsole();
    await world.createWebhook();
    const [sent] = await world.publish("rev_1");
    await world.settled();
    const { api_key: key } = await world.hookwright.apiKeys.create(world.account, { name: "CLI" });
    const call = async (route: string, body: object) => {
      const request = new Request(`http://localhost/${route}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return JSON.parse(await (await world.hookwright.fetch(request)).text());
    };
    const { data } = await call("v1/webhooks", {
      event: "review.submitted",
      target_url: `${world.origin}/key`,
    });
    const route = `developer/v1/webhooks/${data.id}/test`;
    expect((await call(route, { delivery_id: sent })).error.code).toBe("resource_not_found");
    const [, own] = await world.publish("rev_2");
    await world.settled();
    const owned = await world.ask(`GET /console/api/deliveries?webhook_id=${data.id}`);
    expect(own).toBeDefined();
    expect((await call(route, { delivery_id: owned.rows[0]?.["id"] })).data.status).toBe(204);
  });
});
