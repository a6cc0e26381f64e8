import { expect, it } from "vitest";
import { unknownEventProblem } from "../src/index.ts";

it.each([
  ["order.create", "order.created"],
  ["orders.created", "order.created"],
  ["order_created", "order.created"],
  ["ORDER.PAID", "order.paid"],
  [" order.paid ", "order.paid"],
  ["booking.create", "booking.created"],
  ["enquiry.created", "property_enquiry.created"],
  ["review.submited", "review.submitted"],
])("for %j suggests %s", (sent, meant) => {
  expect(unknownEventProblem(sent)).toContain(
    `is not a known event; did you mean \`${meant}\`? GET /v1/event-types lists them`,
  );
});

it.each(["invoice.voided", "crm.invoice.voided-late", "a.b.c.d.E2", "invoice.*", `a.${"x".repeat(62)}`])(
  "without a close name quotes %j and suggests nothing",
  (sent) => {
    expect(unknownEventProblem(sent)).toBe(
      `\`${sent}\` is not a known event; GET /v1/event-types lists them`,
    );
  },
);

it("says that an event of the specification is switched off", () => {
  expect(unknownEventProblem("order.paid", ["order.created"])).toBe(
    "`order.paid` is switched off on this server; GET /v1/event-types lists its events",
  );
});

it.each([
  "whsec_4fGaX0BkQ2",
  "hwk_4fGaX0BkQ2",
  "order.created\u001b[2J",
  `a.${"x".repeat(63)}`,
  `order.${"x".repeat(1_000)}`,
])("does not quote %j", (sent) => {
  expect(unknownEventProblem(sent)).toMatch(/^is not a known event; /u);
  expect(unknownEventProblem(sent).length).toBeLessThan(120);
});

it("does not compare a long text with each name", () => {
  // Comparisons would take longer than the time-out of the test.
  expect(unknownEventProblem("order.created".repeat(800_000))).toMatch(/^is not a known event; /u);
});
