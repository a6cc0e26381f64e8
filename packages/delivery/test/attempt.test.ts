import { expect, it } from "vitest";
import { runAttempt } from "../src/attempt.ts";

it("what fails before anything is sent rejects, as what fails later does", async () => {
  const failure = new Error("the key has gone");
  const attempt = runAttempt(
    {
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
