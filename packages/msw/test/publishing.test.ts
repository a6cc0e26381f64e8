import { eventCatalogue } from "@hookwright/domain";
import type { Order } from "@hookwright/domain";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import { untyped } from "./support/untyped.ts";

const api = mockApi({
  baseUrl: "https://api.example.com",
  seed: { webhooks: [{ event: "order.paid", target_url: "https://hooks.example.com/" }] },
});
beforeEach(() => api.reset());

describe("changing a returned value does not change the mock", () => {
  it("the body of a published event", () => {
    const { data } = api.publish("order.paid");
    data.items.length = 0;
    Object.assign(data.customer, { name: "Mallory" });
    expect(api.state.orders).toEqual([eventCatalogue["order.paid"].sampleData]);
  });

  it("the envelope of a delivery", async () => {
    api.publish("order.paid");
    const [delivery] = await api.takeDeliveries();
    Object.assign(delivery?.envelope.data ?? {}, { status: "changed" });
    Object.assign(delivery?.envelope.project ?? {}, { name: "Changed" });
    expect(api.state.orders[0]?.status).toBe("paid");
    expect(api.state.projects[0]?.name).toBe("Main street shop");
  });
});

it("comparing the event of a taken delivery narrows its data", async () => {
  api.publish("order.paid", { id: "ord_7" });
  const [delivery] = await api.takeDeliveries();
  if (delivery?.envelope.event !== "order.paid") throw new Error("another event");
  expectTypeOf(delivery.envelope.data).toEqualTypeOf<Order>();
  expect(delivery.envelope.data.number).toBe("1001");
});

describe("an account that is suspended or has no integrations", () => {
  it.each([{ status: "suspended" as const }, { plan: { integrations: false } }])(
    "gets no deliveries, also not of earlier events: %j",
    async (account) => {
      api.publish("order.paid");
      api.add({ account });
      expect(await api.takeDeliveries()).toEqual([]);
      api.add({ account: { status: "active", plan: { integrations: true } } });
      expect(await api.takeDeliveries()).toEqual([]);
    },
  );
});

describe("publishing the same record again", () => {
  it("keeps the stored record except for changes of the event and given fields", () => {
    const customer = { name: "Zed", email: "zed@example.com", phone: null };
    api.publish("order.created", { id: "ord_7", number: "77", status: "pending", customer });
    const { data } = api.publish("order.paid", { id: "ord_7", note: "Thanks" });
    expect(data).toMatchObject({ number: "77", customer, status: "paid", note: "Thanks" });
    expect(api.state.contacts.map(({ email }) => email)).toEqual(["zed@example.com"]);
    api.publish("order.paid", { id: "ord_7", status: "refunded" });
    expect(api.publish("order.paid", { id: "ord_7" }).data.status).toBe("refunded");
    expect(api.publish("order.created", { id: "ord_7" }).data.status).toBe("refunded");
  });

  it("happens without an id, so there is one order and one delivery", async () => {
    expect(api.publish("order.paid").id).toBe(api.publish("order.paid").id);
    expect([api.state.orders.length, (await api.takeDeliveries()).length]).toEqual([1, 1]);
  });
});

it("an unknown event is rejected by name", () => {
  const refusal = expect.objectContaining({
    code: "unknown_event",
    message: expect.stringContaining("order.gone"),
  });
  expect(() => api.publish(untyped("order.gone"))).toThrow(refusal);
  expect(() => api.add({ events: [{ event: untyped("order.gone") }] })).toThrow(refusal);
});
