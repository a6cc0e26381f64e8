import { sampleDeliveryBody } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, expectTypeOf, it } from "vitest";
import { createHookwright, validateEvent } from "../src/index.ts";
import type { EventData, Hookwright, KeptOrder, Order, OrderRepository, PublishInput } from "../src/index.ts";

async function openHookwright(): Promise<Hookwright> {
  const hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a secret of thirty-two characters",
  });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", timezone: "Europe/Paris" });
  return hookwright;
}

const project_id = "site_1";

it("the name of the event determines the type of its data", () => {
  const check = (hookwright: Hookwright, data: unknown, name: string): void => {
    const { publish } = hookwright;
    // @ts-expect-error nobody knows yet that this is an order
    void publish({ event: "order.paid", project_id, data });
    // @ts-expect-error a review has no total, and needs none
    void publish({ event: "review.submitted", project_id, data: { id: "rev_1", total: 7 } });
    // @ts-expect-error an order needs a total
    void publish({ event: "order.created", project_id, data: { id: "ord_1" } });
    // @ts-expect-error an object is no text
    void publish({ event: "order.created", project_id, data: { id: "ord_1", total: 1, note: {} } });
    const street = { street: "12 Byron Lane", zip: "SW1A" };
    const paid = { id: "ord_1", total: 1 };
    // @ts-expect-error an address has no such fields
    void publish({ event: "order.paid", project_id, data: { ...paid, shipping_address: street } });
    // @ts-expect-error a customer has no such fields
    void publish({ event: "order.paid", project_id, data: { ...paid, customer: street } });
    // @ts-expect-error an item has no such fields
    void publish({ event: "order.paid", project_id, data: { ...paid, items: [street] } });
    // @ts-expect-error a pick-up has no such fields
    void publish({ event: "rental.reserved", project_id, data: { ...paid, pickup: street } });
    // @ts-expect-error there is no such event
    void publish({ event: "order.shipped", project_id, data: { id: "ord_1", total: 1 } });
    // @ts-expect-error a name that is not known yet
    void publish({ event: name, project_id, data: { id: "ord_1", total: 1 } });
  };
  expectTypeOf(check).toBeFunction();
});

it("without the events of the specification, or with some of them, publish knows no others", () => {
  const options = { store: memoryStore(), secret: "a secret of thirty-two characters" };
  const check = async (isSwitchable: boolean): Promise<void> => {
    const data = { id: "ord_1", total: 1 };
    const none = await createHookwright({ ...options, builtInEvents: false });
    // @ts-expect-error it is switched off
    void none.publish({ event: "order.paid", project_id, data });
    const some = await createHookwright({ ...options, builtInEvents: ["order.paid"] });
    void some.publish({ event: "order.paid", project_id, data });
    // @ts-expect-error it is switched off
    void some.publishMany([{ event: "order.created", project_id, data }]);
    // @ts-expect-error it is switched off
    void some.validateEvent({ event: "order.created", project_id, data });
    const either = await createHookwright({ ...options, builtInEvents: isSwitchable });
    void either.publish({ event: "order.paid", project_id, data });
  };
  expectTypeOf(check).toBeFunction();
});

it("publish accepts dates, decimals, numbers for texts, and only the required fields", async () => {
  await using hookwright = await openHookwright();
  const decimal = { toNumber: () => 9.5, toJSON: () => "9.50" };
  const created_at = new Date("2026-11-20T09:30:00Z");
  await hookwright.publish({
    event: "order.paid",
    project_id,
    data: { id: 17n, number: 1001, total: decimal, subtotal: "9.50", created_at, customer: null },
    as_of: new Date(),
  });
  expect(await hookwright.orders.get("acc_1", "17")).toMatchObject({
    number: "1001",
    total: 9.5,
    subtotal: 9.5,
    created_at: "2026-11-20T09:30:00Z",
  });
});

it("publish accepts the orders that orders.get and a repository return", async () => {
  await using hookwright = await openHookwright();
  const { data } = sampleDeliveryBody("order.created");
  const repository: Pick<OrderRepository, "get"> = {
    get: (): KeptOrder => ({ project_id, data: { ...data, created_at: new Date(data.created_at) } }),
  };
  const kept = await repository.get("acc_1", data.id, { signal: AbortSignal.timeout(1_000) });
  if (kept === undefined || kept === null) throw new Error("no order");
  await hookwright.publish({ event: "order.created", project_id, data: kept.data });
  const order = await hookwright.orders.get("acc_1", data.id);
  expectTypeOf(order).toEqualTypeOf<Order>();
  expect(order).toEqual(data);
  const { adjusted, duplicate } = await hookwright.publish({ event: "order.paid", project_id, data: order });
  expect([adjusted, duplicate]).toEqual([[], false]);
  expect((await hookwright.orders.list("acc_1", {})).rows).toEqual([data]);
  expect(await hookwright.eventTypes.samples("acc_1", "order.paid")).toMatchObject([
    { event: "order.paid", data },
  ]);
});

it("validateEvent types unknown input, and says what publish would adjust", async () => {
  await using hookwright = await openHookwright();
  const data: unknown = JSON.parse(
    '{"id": 5, "total": "9.00", "created_at": "2026-11-20 10:30", "loyalty": 7}',
  );
  const valid = await hookwright.validateEvent({ event: "order.paid", project_id, data });
  expectTypeOf(valid.data).toEqualTypeOf<EventData["order.paid"]>();
  // In the time zone of the site, which only the instance knows.
  expect(valid.data.created_at).toBe("2026-11-20T09:30:00Z");
  expect(validateEvent({ event: "order.paid", project_id, data }).data.created_at).toBe(
    "2026-11-20T10:30:00Z",
  );
  await expect(hookwright.orders.get("acc_1", "5")).rejects.toMatchObject({ code: "resource_not_found" });
  const published = await hookwright.publish({
    event: "order.paid",
    project_id,
    data: { id: 5, total: "9.00", created_at: "2026-11-20 10:30" },
  });
  expect(published).toMatchObject({ id: valid.id, adjusted: valid.adjusted, dropped: [] });
  expect(valid.dropped).toEqual(["loyalty"]);
  expect(await hookwright.publish(valid.input)).toEqual({
    ...published,
    duplicate: true,
    dropped: ["loyalty"],
  });

  await expect(
    hookwright.validateEvent({ event: "order.paid", project_id: "site_none", data }),
  ).rejects.toMatchObject({
    code: "validation_failed",
    message: "project_id: no such site",
  });
  const anything: PublishInput = validateEvent(
    JSON.parse('{"event": "review.submitted", "project_id": "site_1", "data": {"id": 1}}'),
  ).input;
  expect(await hookwright.publish(anything)).toMatchObject({ id: "review.submitted_1" });
});
