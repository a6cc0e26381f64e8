import type { AttemptRow, DeliveryRow } from "@hookwright/delivery";
import { describe, expect, it } from "vitest";
import { toAttempt, toDelivery } from "../src/rows/delivery-shape.ts";
import { sampleAttempt } from "./support/sample-attempt.ts";

const createdAt = Date.UTC(2026, 10, 20, 9, 30, 0, 7);
const delivery: DeliveryRow = {
  id: "dlv_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
  webhook_id: "wh_1",
  target_url: "https://hooks.example.com/",
  event: "order.created",
  record_id: "ord_1",
  project_id: "site_1",
  kind: "event",
  status: "delivered",
  created_at: createdAt,
  next_attempt_at: null,
  completed_at: createdAt + 15_100,
  record_arrival: 1,
  attempts: [],
};
const none = { dns_ms: null, connect_ms: null, tls_ms: null, wait_ms: null, read_ms: null };

function shapeOf(changes: Partial<AttemptRow>, attempts: readonly AttemptRow[] = []) {
  const attempt = { ...sampleAttempt, started_at: createdAt + 40, ...changes };
  return toAttempt({ ...delivery, attempts: [...attempts, attempt] }, attempt, "{}");
}

describe("the phases of an attempt", () => {
  it("are milliseconds, and those that it did not have are null", () => {
    expect(shapeOf({ phases: [12, 345, 678, 3_400, 0] })).toMatchObject({
      phases: { queued_ms: 40, dns_ms: 1.2, connect_ms: 34.5, tls_ms: 67.8, wait_ms: 340, read_ms: 0 },
      reused: false,
    });
    expect(shapeOf({ phases: [-1, 345, -1, -1, -1] })).toMatchObject({
      phases: { ...none, queued_ms: 40, connect_ms: 34.5 },
      reused: false,
    });
  });

  it("show a reused connection by what it did not have", () => {
    expect(shapeOf({ phases: [-1, -1, -1, 3_400, 1] })).toMatchObject({
      phases: { ...none, queued_ms: 40, wait_ms: 340, read_ms: 0.1 },
      reused: true,
    });
  });

  it("begin when the attempt was due, which clocks that differ do not make negative", () => {
    const first = { ...sampleAttempt, next_attempt_at: createdAt + 15_000 };
    const phases = [-1, -1, -1, 1, 1] as const;
    const queuedAt = (started_at: number) =>
      shapeOf({ number: 2, started_at, phases }, [first]).phases.queued_ms;
    expect([queuedAt(createdAt + 15_042), queuedAt(createdAt)]).toEqual([42, 0]);
  });

  it("are all null if an earlier version made the attempt", () => {
    expect(shapeOf({})).toMatchObject({ phases: { ...none, queued_ms: null }, reused: false });
  });
});

it("times of a delivery and its attempts have milliseconds", () => {
  expect(
    toDelivery({ ...delivery, status: "pending", completed_at: null, next_attempt_at: createdAt }),
  ).toMatchObject({
    created_at: "2026-11-20T09:30:00.007Z",
    next_attempt_at: "2026-11-20T09:30:00.007Z",
    completed_at: null,
  });
  expect(toDelivery(delivery)).toMatchObject({ completed_at: "2026-11-20T09:30:15.107Z" });
  expect(shapeOf({ next_attempt_at: createdAt + 15_000 })).toMatchObject({
    started_at: "2026-11-20T09:30:00.047Z",
    next_attempt_at: "2026-11-20T09:30:15.007Z",
  });
});
