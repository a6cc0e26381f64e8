import { verify } from "@hookwright/signature";
import { eventCatalogue } from "@hookwright/domain";
import type { Order } from "@hookwright/domain";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { mockApi, mockReceiver, signedDelivery } from "../src/index.ts";
import { createAsking } from "./support/asking.ts";
import { openMockSide } from "./support/open-mock-side.ts";
import { openRealSide } from "./support/open-real-side.ts";
import { ownEvents } from "./support/own-events.ts";
import type { Script } from "./support/scripts/script.ts";
import { untyped } from "./support/untyped.ts";

const now = () => Date.UTC(2026, 10, 20, 9, 30);
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

const script: Script = async (side, ask) => {
  await ask("GET /v1/event-types");
  for (const event of ["membership.expired", "order.shipped", "order.shiped", "order.paid"])
    await ask("POST /v1/webhooks", { json: { event, target_url: `${target_url}${event}` } });
  await side.publish("order.paid", "site_1", { id: "ord_1", number: "7" });
  const { sampleData: order } = eventCatalogue["order.paid"];
  await side.publish(untyped("order.shipped"), "site_1", { ...order, id: "ord_1", carrier: "Penny Post" });
  for (const data of [
    { id: "m_1", plan: "Gold", until: 0, email: "ada@example.com" },
    { id: "m_2", plan: "Silver", until: 0 },
    { id: "m_1", plan: "Bronze", until: 1, email: "ada@example.com" },
  ])
    await side.publish(untyped("membership.expired"), "site_2", data);
  for (const event of ["membership.expired", "order.shipped", "order.shiped", "order.paid"])
    await ask(`GET /v1/event-types/${event}/samples`);
  for (const target of ["orders", "orders/ord_1", "orders/m_1", "contacts", "webhooks"])
    await ask(`GET /v1/${target}`);
  await ask("POST /v1/subscribers", { json: { project_id: "site_2", email: "ada@example.com" } });
};

it("the mock answers like the service that has the same events", async () => {
  await using real = await openRealSide(now, { events: ownEvents });
  await using mock = openMockSide(now, { events: ownEvents });
  const logs = [];
  for (const side of [real, mock]) {
    await side.addProject("site_1", "Main street shop", "Europe/London");
    await side.addProject("site_2", "Blog", "Asia/Tokyo");
    const { ask, log } = createAsking(side);
    await script(side, ask);
    logs.push(log);
  }
  const [expected, answers] = logs;
  expect(expected?.filter(({ status }) => status < 300)).toHaveLength(12);
  expect(answers).toEqual(expected);
});

describe("a published event of the host", () => {
  it("is delivered to its webhooks as its schema returns it", async () => {
    const body = api.publish("membership.expired", { id: "m_7" });
    expectTypeOf(body.data.until).toEqualTypeOf<string>();
    const data = { id: "m_7", plan: "Gold", until: "2026-11-20T00:00:00.000Z" };
    expect(body).toMatchObject({ id: "membership.expired_m_7", event: "membership.expired", data });
    const [delivery, ...others] = await api.takeDeliveries();
    expect([delivery?.envelope, others]).toEqual([body, []]);
    if (delivery?.envelope.event !== "membership.expired") throw new Error("another event");
    expectTypeOf(delivery.envelope.data.plan).toEqualTypeOf<string>();
    const secrets = api.state.webhooks.map(({ signing_secret: secret }) => secret);
    expect(await verify({ body: delivery.body, headers: delivery.headers, secrets })).toEqual(body);
  });

  it("with the id of a stored record changes only the given fields", () => {
    api.publish("membership.expired", { id: "m_7", plan: "Silver" });
    expect(api.publish("membership.expired", { id: "m_7", until: 0 }).data).toEqual({
      id: "m_7",
      plan: "Silver",
      until: "1970-01-01T00:00:00.000Z",
    });
  });

  it("about an order shares the record of the order", async () => {
    api.publish("order.paid", { id: "ord_7", number: "77" });
    const { data } = api.publish("order.shipped", { id: "ord_7" });
    const { carrier, ...order } = data;
    expectTypeOf(order).toEqualTypeOf<Order>();
    expect([carrier, order]).toMatchObject(["Penny Post", { number: "77", status: "paid" }]);
    expect(api.state.orders).toEqual([order]);
    expect((await api.takeDeliveries()).map(({ envelope }) => envelope.id)).toEqual(["order.shipped_ord_7"]);
  });

  it("is refused by its schema, in a seed too", () => {
    const refusal = expect.objectContaining({
      code: "validation_failed",
      message: "data.plan: must be text",
    });
    expect(() => api.publish("membership.expired", { plan: untyped(7) })).toThrow(refusal);
    const events = [{ event: "membership.expired" as const, data: { plan: 7 } }];
    expect(() => api.add({ events })).toThrow(refusal);
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

it("a name that is no event does not compile", () => {
  // @ts-expect-error it is misspelt
  expect(() => api.publish("membership.expird")).toThrow("did you mean `membership.expired`?");
});
