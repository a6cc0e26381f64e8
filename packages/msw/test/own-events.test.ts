import { verify } from "@hookwright/signature";
import type { Order } from "@hookwright/domain";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { mockApi, mockReceiver, signedDelivery } from "../src/index.ts";
import { ownEvents } from "./support/own-events.ts";
import { untyped } from "./support/untyped.ts";

const target_url = "https://hooks.example.com/";
const api = mockApi({
  baseUrl: "https://api.example.com",
  events: ownEvents,
  seed: {
    webhooks: [
      { event: "membership.expired", target_url },
      { event: "order.shipped", target_url },
    ],
  },
});
beforeEach(() => api.reset());

it("is listed, and a webhook can subscribe to it", async () => {
  const headers = { authorization: `Bearer ${api.apiKey}` };
  const answer = await api.fetch(`${api.baseUrl}/v1/event-types`, { headers });
  const { data }: { data: readonly { event: string }[] } = await answer.json();
  expect(data.map(({ event }) => event)).toEqual(expect.arrayContaining(Object.keys(ownEvents)));
});

describe("a published event of the host", () => {
  it("is delivered to its webhooks as its schema returns it", async () => {
    const body = await api.publish("membership.expired", { id: "m_7" });
    expectTypeOf(body.data.until).toEqualTypeOf<string>();
    const data = { id: "m_7", plan: "Gold", until: "2026-11-20T00:00:00.000Z" };
    expect(body).toMatchObject({ id: "membership.expired_m_7", event: "membership.expired", data });
    const [delivery, ...others] = await api.takeDeliveries();
    expect([delivery?.envelope, others]).toEqual([body, []]);
    if (delivery?.envelope.event !== "membership.expired") throw new Error("another event");
    expectTypeOf(delivery.envelope.data.plan).toEqualTypeOf<string>();
    const secrets = (await api.state()).webhooks.map(({ signing_secret: secret }) => secret);
    expect(await verify({ body: delivery.body, headers: delivery.headers, secrets })).toEqual(body);
  });

  it("with the id of a stored record changes only the given fields", async () => {
    await api.publish("membership.expired", { id: "m_7", plan: "Silver" });
    expect((await api.publish("membership.expired", { id: "m_7", until: 0 })).data).toEqual({
      id: "m_7",
      plan: "Silver",
      until: "1970-01-01T00:00:00.000Z",
    });
  });

  it("about an order shares the record of the order", async () => {
    await api.publish("order.paid", { id: "ord_7", number: "77" });
    const { data } = await api.publish("order.shipped", { id: "ord_7" });
    const { carrier, ...order } = data;
    expectTypeOf(order).toEqualTypeOf<Order>();
    expect([carrier, order]).toMatchObject(["Penny Post", { number: "77", status: "paid" }]);
    expect((await api.state()).orders).toEqual([order]);
    expect((await api.takeDeliveries()).map(({ envelope }) => envelope.id)).toEqual(["order.shipped_ord_7"]);
  });

  it("is refused by its schema, in a seed too", async () => {
    const refusal = { code: "validation_failed", message: "data.plan: must be text" };
    await expect(api.publish("membership.expired", { plan: untyped(7) })).rejects.toMatchObject(refusal);
    const events = [{ event: "membership.expired" as const, data: { plan: 7 } }];
    await expect(api.add({ events })).rejects.toThrow("events.0: data.plan: must be text");
  });
});

describe("a signed delivery of an event of the host", () => {
  it("has its sample, and a receiver accepts it", async () => {
    const secret = "whsec_example";
    const receiver = mockReceiver({ url: target_url, secrets: secret });
    const delivery = await signedDelivery({
      events: ownEvents,
      event: "membership.expired",
      data: { plan: "Silver" },
      url: target_url,
      secret,
    });
    expectTypeOf(delivery.envelope.data.until).toEqualTypeOf<string>();
    expect((await receiver.fetch(delivery.request())).status).toBe(204);
    const { event } = await receiver.next();
    expect(event).toEqual(delivery.envelope);
    expect(event.data).toEqual({ id: "m_1", plan: "Silver", until: "2026-11-20T00:00:00.000Z" });
  });

  it("needs its definition", async () => {
    const refused = signedDelivery({ event: untyped("membership.expired"), secret: "whsec_example" });
    await expect(refused).rejects.toMatchObject({ code: "unknown_event" });
  });
});

it("definitions that `createHookwright` refuses are refused with every problem", () => {
  const { "membership.expired": membership } = ownEvents;
  const events = { "order.paid": membership, "membership.renewed": { ...membership, sample: {} } };
  expect(() => mockApi({ baseUrl: "https://api.example.com", events })).toThrow(
    expect.objectContaining({
      code: "invalid_events",
      message: expect.stringMatching(/^events\.order\.paid: .*; events\.membership\.renewed: /u),
    }),
  );
});

it("a name that is no event does not compile", async () => {
  // @ts-expect-error it is misspelt
  await expect(api.publish("membership.expird")).rejects.toThrow("did you mean `membership.expired`?");
});
