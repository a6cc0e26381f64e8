import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDeliveryRow, readRequestHeaders, renderDeliveryRow } from "../src/rows/delivery-row.ts";
import type { AttemptRow, DeliveryRow } from "../src/rows/delivery-row.ts";

const json = fc.jsonValue().map((value) => JSON.stringify(value));
const time = fc.nat();

const attempts: fc.Arbitrary<AttemptRow> = fc.record({
  number: fc.integer({ min: 1, max: 6 }),
  started_at: time,
  duration_ms: fc.double({ min: 0, max: 10_000, noNaN: true }).map((ms) => Math.round(ms)),
  request_header_lines: fc.string(),
  body: json,
  status: fc.option(fc.integer({ min: 200, max: 599 })),
  headers: fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
  excerpt: fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
  error: fc.option(fc.constantFrom("timeout", "status")),
  detail: fc.option(fc.string()),
  next_attempt_at: fc.option(time),
});

const deliveries: fc.Arbitrary<DeliveryRow> = fc.record({
  id: fc.string(),
  webhook_id: fc.string(),
  target_url: fc.webUrl(),
  event: fc.constant("order.created"),
  record_id: fc.string(),
  project_id: fc.string(),
  kind: fc.constantFrom("event", "resend", "test"),
  status: fc.constantFrom("pending", "delivered", "failed", "cancelled"),
  created_at: time,
  next_attempt_at: fc.option(time),
  completed_at: fc.option(time),
  attempts: fc.array(attempts, { maxLength: 6 }),
});

describe("a delivery row", () => {
  it("is read back as it was written, whatever receivers answered", () => {
    fc.assert(
      fc.property(deliveries, (delivery) => {
        expect(parseDeliveryRow(renderDeliveryRow(delivery))).toEqual(delivery);
      }),
    );
  });

  it("keeps a body that was sent again once", () => {
    const [delivery] = fc.sample(deliveries, { numRuns: 1, seed: 1 });
    const [attempt] = fc.sample(attempts, { numRuns: 1, seed: 1 });
    if (delivery === undefined || attempt === undefined) throw new Error("nothing was sampled");
    const body = JSON.stringify("x".repeat(1_000));
    const again = [1, 2, 3].map((number) => ({ ...attempt, number, body }));
    const text = renderDeliveryRow({ ...delivery, attempts: again });
    expect(text.split(body)).toHaveLength(2);
    expect(parseDeliveryRow(text).attempts.map((each) => each.body)).toEqual([body, body, body]);
  });

  it("gives the request's headers by name", () => {
    const request_header_lines = "Content-Type: application/json\r\nX-Service-Event: order.created\r\n";
    expect(readRequestHeaders({ request_header_lines })).toEqual({
      "Content-Type": "application/json",
      "X-Service-Event": "order.created",
    });
  });
});
