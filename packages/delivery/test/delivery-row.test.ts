import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/test/support/any-character.ts";
import { parseDeliveryRow, renderDeliveryRow } from "../src/storage/delivery-codec.ts";
import type { AttemptRow, BodySource, DeliveryRow } from "../src/storage/delivery-row.ts";
import { readRequestHeaders, renderRequestHeaders, requestForm } from "../src/sending/attempt.ts";

const json = fc.jsonValue().map((value) => JSON.stringify(value));
const time = fc.nat();

const sources: fc.Arbitrary<BodySource> = fc.record(
  { version: fc.nat(), project_name: fc.string(), project_timezone: fc.string(), published_at: time },
  { requiredKeys: ["version", "project_name", "project_timezone"] },
);

const attempts: fc.Arbitrary<AttemptRow> = fc.record({
  number: fc.integer({ min: 1, max: 6 }),
  started_at: time,
  duration_ms: fc.double({ min: 0, max: 10_000, noNaN: true }).map((ms) => Math.round(ms)),
  request_form: fc.constant(requestForm),
  signature: fc.string(),
  body: fc.oneof(json, sources, fc.record({ gone: fc.constantFrom("not_kept", "erased") })),
  status: fc.option(fc.integer({ min: 200, max: 599 })),
  headers: fc.array(fc.string()),
  excerpt: fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed()),
  error: fc.option(fc.constantFrom("timeout", "status")),
  detail: fc.option(fc.string()),
  next_attempt_at: fc.option(time),
});

const extraHeaders = fc.record(
  {
    standard_signature: fc.option(fc.string()),
    custom_headers: fc.array(fc.string()),
    header_prefix: fc.string(),
  },
  { requiredKeys: ["standard_signature", "custom_headers"] },
);

const phase = fc.oneof(fc.constant(-1), fc.nat(100_000));
const phases = fc.tuple(phase, phase, phase, phase, phase);

const rareFields = fc.record(
  {
    cancel_reason: fc.constantFrom("paused", "record_deleted"),
    resent_from: fc.string(),
    trace_parent: fc.constant("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
  },
  { requiredKeys: [] },
);

const commonFields = fc.record({
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
  record_arrival: time,
  attempts: fc.array(
    fc
      .tuple(attempts, fc.record({ extra: extraHeaders, phases }, { requiredKeys: [] }))
      .map(([attempt, added]) => ({ ...attempt, ...added })),
    { maxLength: 6 },
  ),
});

const deliveries: fc.Arbitrary<DeliveryRow> = fc.oneof(
  commonFields,
  fc.tuple(commonFields, rareFields).map(([common, rare]) => ({ ...common, ...rare })),
);

describe("a delivery row", () => {
  it("is read as it was written, whatever the response contained", () => {
    fc.assert(
      fc.property(deliveries, (delivery) => {
        expect(parseDeliveryRow(renderDeliveryRow(delivery))).toEqual(delivery);
      }),
    );
  });

  it("is read as an earlier version wrote it", () => {
    const head = ["dlv_1", "wh_1", "https://a.example", "order.created", "ord_1", "site_1", "event"];
    const attempt = [1, 5, 48, 1, "v1=ab", "{}", 200, [], "ok", null, null, null];
    const text = JSON.stringify([...head, "delivered", 5, null, 53, 7, attempt]);
    const row = parseDeliveryRow(text);
    expect(row).toMatchObject({ id: "dlv_1", status: "delivered", attempts: [{ number: 1, status: 200 }] });
    expect(row.cancel_reason).toBeUndefined();
    expect(row.trace_parent).toBeUndefined();
    expect(renderDeliveryRow(row)).toBe(text);
  });

  it("stores the phases of an attempt in at most 40 bytes, and an earlier version still reads it", () => {
    const head = ["dlv_1", "wh_1", "https://a.example", "order.created", "ord_1", "site_1", "event"];
    const attempt = [1, 5, 10_000, 1, "v1=ab", "{}", 500, [], "no", "status", null, null];
    const render = (added: object): string => {
      const row = parseDeliveryRow(JSON.stringify([...head, "failed", 5, null, 53, 7, attempt]));
      return renderDeliveryRow({ ...row, attempts: row.attempts.map((each) => ({ ...each, ...added })) });
    };
    const text = render({ phases: [12_345, 12_345, 12_345, 99_999, 12_345] });
    expect(Buffer.byteLength(text) - Buffer.byteLength(render({}))).toBeLessThanOrEqual(40);
    const [, , , , , , , , , , , , cells] = JSON.parse(text);
    expect(cells.slice(0, 12)).toEqual(attempt);
    expect(cells[12]).toBeNull();
  });

  it("restores the request headers as they were sent", () => {
    const delivery = { id: "dlv_1", event: "order.created", record_id: "1", kind: "test" } as const;
    const attempt = { started_at: 1_763_630_000_999, signature: "v1=ab", request_form: requestForm };
    expect(readRequestHeaders(delivery, attempt)).toEqual({
      "Content-Type": "application/json",
      "User-Agent": "Hookwright (+webhooks)",
      "X-Service-Event": "order.created",
      "X-Service-Delivery": "dlv_1",
      "X-Service-Timestamp": "1763630000",
      "X-Service-Signature": "v1=ab",
      "X-Service-Test": "1",
    });
    const lines = renderRequestHeaders(delivery, attempt).split("\r\n");
    expect(lines).toHaveLength(8);
    expect(renderRequestHeaders({ ...delivery, kind: "event" }, attempt)).not.toContain("X-Service-Test");
  });

  it("restores extra headers: those of Standard Webhooks as sent, the owner's own without their values", () => {
    const delivery = { id: "dlv_1", event: "order.created", record_id: "№ 7%", kind: "event" } as const;
    const extra = { standard_signature: "v1,ab= v1,cd=", custom_headers: ["Authorization"] };
    const attempt = { started_at: 1_763_630_000_999, signature: "v1=ab", request_form: 2, extra };
    expect(readRequestHeaders(delivery, attempt)).toMatchObject({
      "webhook-id": "order.created_%E2%84%96%207%",
      "webhook-timestamp": "1763630000",
      "webhook-signature": "v1,ab= v1,cd=",
      Authorization: "(not stored)",
    });
  });

  it("restores the names of headers with a prefix of the server", () => {
    const delivery = { id: "dlv_1", event: "order.created", record_id: "1", kind: "test" } as const;
    const extra = { standard_signature: null, custom_headers: [], header_prefix: "X-Acme" };
    const attempt = { started_at: 5_000, signature: "v1=ab", request_form: 3, extra };
    expect(Object.keys(readRequestHeaders(delivery, attempt)).slice(2)).toEqual(
      ["Event", "Delivery", "Timestamp", "Signature", "Test"].map((end) => `X-Acme-${end}`),
    );
  });

  it("refuses request headers of an unknown form", () => {
    const delivery = { id: "dlv_1", event: "order.created", record_id: "1", kind: "event" } as const;
    const attempt = { started_at: 0, signature: "v1=ab", request_form: 99 };
    expect(() => readRequestHeaders(delivery, attempt)).toThrow("form 99");
  });
});
