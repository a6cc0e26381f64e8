import { expect, it } from "vitest";
import { describeEvents, getsEvent } from "../site/console/parts/webhook-events.ts";

it.each([
  [["order.created"], "order.created"],
  [["order.created", "order.paid"], "order.created and 1 more"],
  [["booking.created", "order.created", "order.paid"], "booking.created and 2 more"],
  [["*"], "All events"],
])("the events %j are described in short", (events, text) => {
  expect(describeEvents({ events })).toBe(text);
});

it("a webhook with every event gets each of them", () => {
  expect(
    [["*"], ["order.paid"], ["order.created"]].map((events) => getsEvent({ events }, "order.paid")),
  ).toEqual([true, true, false]);
});
