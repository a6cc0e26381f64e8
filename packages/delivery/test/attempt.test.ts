import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/test/support/any-character.ts";
import { keepBody, keepHeaders, runAttempt } from "../src/sending/attempt.ts";
import type { AttemptRow } from "../src/storage/delivery-row.ts";
import type { OutgoingRequest } from "../src/transport/transport.ts";
import { createFakeTransport } from "./support/fake-transport.ts";

it("an error before the request is sent rejects the promise and does not throw", async () => {
  const failure = new Error("the key is gone");
  const attempt = runAttempt(
    {
      accountId: "acc_1",
      delivery: {
        id: "dlv_1",
        webhook_id: "wh_1",
        event: "order.created",
        record_id: "1",
        kind: "event",
        attempts: [],
      },
      targetUrl: "https://example.com/hooks",
      body: "{}",
      sign: () => {
        throw failure;
      },
    },
    {
      transport: {
        send: () => expect.fail("nothing may be sent"),
        close: async () => {},
        [Symbol.asyncDispose]: async () => {},
      },
      timeoutMs: 1_000,
      wallClock: () => 0,
    },
  );
  await expect(attempt).rejects.toBe(failure);
});

const failed: AttemptRow = {
  number: 1,
  started_at: 0,
  duration_ms: 1,
  request_form: 1,
  signature: "v1=0",
  body: "{}",
  status: null,
  headers: [],
  excerpt: "",
  error: "reset",
  detail: null,
  next_attempt_at: null,
};

it.each([
  ["a first attempt may reuse a connection of its account", "event", [], false],
  ["a retry gets a fresh connection", "event", [failed], true],
  ["a retry of a resend gets a fresh connection", "resend", [failed], true],
  ["a test has only one attempt, so it gets a fresh connection", "test", [], true],
] as const)("%s", async (_, kind, attempts, freshConnection) => {
  const sent: OutgoingRequest[] = [];
  const transport = createFakeTransport(() => 0);
  await runAttempt(
    {
      accountId: "acc_1",
      delivery: { id: "dlv_1", webhook_id: "wh_1", event: "order.created", record_id: "1", kind, attempts },
      targetUrl: "https://example.com/hooks",
      body: "{}",
      sign: () => "v1=0",
    },
    {
      transport: {
        ...transport,
        send(request) {
          sent.push(request);
          return transport.send(request);
        },
      },
      timeoutMs: 1_000,
      wallClock: () => 0,
    },
  );
  expect(sent).toMatchObject([{ accountId: "acc_1", freshConnection }]);
});

const bytesOf = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
const hasHalfPair = (text: string): boolean => !text.isWellFormed();

describe("a response body", () => {
  it.each([0, 1, 682, 683, 2_047, 2_048])("of %i bytes is kept unchanged", (length) => {
    expect(keepBody("x".repeat(length))).toBe("x".repeat(length));
  });

  it("of more than 2 KiB is cut to 2 KiB, which includes the mark `…`", () => {
    expect(keepBody("x".repeat(2_049))).toBe(`${"x".repeat(2_045)}…`);
  });

  it("is never cut within a character", () => {
    const text = fc.string({ unit: anyCharacter, minLength: 600, maxLength: 3_000 });
    fc.assert(
      fc.property(text, (body) => {
        const kept = keepBody(body);
        expect(bytesOf(kept)).toBeLessThanOrEqual(2_048);
        expect(hasHalfPair(kept)).toBe(false);
        if (kept === body) return;
        expect(bytesOf(body)).toBeGreaterThan(2_048);
        expect(kept.endsWith("…")).toBe(true);
        expect(body.startsWith(kept.slice(0, -1))).toBe(true);
        expect(bytesOf(kept)).toBeGreaterThan(2_048 - 4);
      }),
    );
  });
});

describe("response headers", () => {
  it("are kept unchanged up to 32 headers and 2 KiB in total", () => {
    const headers = Array.from({ length: 32 }, (_, index) => [`x-${index + 10}`, "v".repeat(60)]).flat();
    expect(bytesOf(...headers)).toBe(2_048);
    expect(keepHeaders(headers)).toBe(headers);
  });

  it("beyond 32 are counted in a last line", () => {
    const headers = Array.from({ length: 40 }, (_, index) => [`x-${index}`, "v"]).flat();
    expect(keepHeaders(headers)).toEqual([...headers.slice(0, 62), "…", "9 more headers"]);
  });

  it("are cut if they are long, so that the others fit", () => {
    const headers = ["content-security-policy", "p".repeat(3_000), "retry-after", "30"];
    const kept = keepHeaders(headers);
    expect(kept).toEqual(["content-security-policy", `${"p".repeat(253)}…`, "retry-after", "30"]);
  });

  it("that do not fit are counted", () => {
    const headers = Array.from({ length: 9 }, (_, index) => [`x-${index}`, "v".repeat(255)]).flat();
    expect(keepHeaders(headers)).toEqual([...headers.slice(0, 14), "…", "2 more headers"]);
    expect(keepHeaders(headers.slice(2)).slice(-2)).toEqual(["…", "1 more header"]);
  });

  it("are never kept beyond 32 headers and 2 KiB", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 1_500 });
    const list = fc.array(fc.tuple(text, text), { maxLength: 60 });
    fc.assert(
      fc.property(list, (pairs) => {
        const headers = pairs.flat();
        const kept = keepHeaders(headers);
        expect(kept.length).toBeLessThanOrEqual(64);
        expect(bytesOf(...kept)).toBeLessThanOrEqual(2_048);
        if (kept.length < headers.length) expect(kept.at(-2)).toBe("…");
      }),
    );
  });
});
