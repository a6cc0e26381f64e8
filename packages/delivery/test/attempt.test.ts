import { expect, it } from "vitest";
import { runAttempt } from "../src/attempt.ts";
import type { AttemptRow } from "../src/rows/delivery-row.ts";
import type { OutgoingRequest } from "../src/transport/transport.ts";
import { createFakeTransport } from "./support/fake-transport.ts";

it("what fails before anything is sent rejects, as what fails later does", async () => {
  const failure = new Error("the key has gone");
  const attempt = runAttempt(
    {
      accountId: "acc_1",
      delivery: { id: "dlv_1", event: "order.created", kind: "event", attempts: [] },
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
  ["a test, which has one attempt only, gets a fresh connection", "test", [], true],
] as const)("%s", async (_, kind, attempts, freshConnection) => {
  const sent: OutgoingRequest[] = [];
  const transport = createFakeTransport(() => 0);
  await runAttempt(
    {
      accountId: "acc_1",
      delivery: { id: "dlv_1", event: "order.created", kind, attempts },
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
