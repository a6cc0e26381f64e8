import { expect, it } from "vitest";
import { countNotDelivered, successRate } from "../src/ledger-outcomes.ts";

it("counts the share of the events that are delivered, without those that are pending", () => {
  expect(successRate({ due: 5, pending: 1, delivered: 3 })).toBe(0.75);
  expect(successRate({ due: 2, pending: 2, delivered: 0 })).toBeNull();
  expect(successRate({ due: 0, pending: 0, delivered: 0 })).toBeNull();
});

it("counts all that was not delivered and does not wait", () => {
  expect(countNotDelivered({ failed: 1, cancelled: 2, not_sent: 4 })).toBe(7);
});
