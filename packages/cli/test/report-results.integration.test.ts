import { expect, it } from "vitest";
import { createResultReporter } from "../src/listen/report-results.ts";
import { connect } from "./support/connect.ts";
import { openDeveloperServer } from "./support/developer-server.ts";
import { createFakeClock } from "./support/fake-clock.ts";

const result = { status: 200, durationMs: 1, excerpt: "", error: undefined };

async function open() {
  const server = await openDeveloperServer();
  const clock = createFakeClock(0);
  const remarks: string[] = [];
  const reporter = createResultReporter({
    api: connect(server),
    remark: (text) => void remarks.push(text),
    now: clock.now,
  });
  return {
    server,
    clock,
    remarks,
    reporter,
    async report(id: string) {
      reporter.report("lsn_1", id, result);
      await reporter.flush();
    },
    reported: () => server.requested("POST", /result$/u).map(({ path }) => path.split("/").at(-2)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

it("at most 30 results are reported in a minute, and the one after a pause at once", async () => {
  await using test = await open();
  for (let second = 0; second < 60; second += 1) {
    for (let each = 0; each < 5; each += 1) await test.report(`dlv_${second}_${each}`);
    await test.clock.sleep(1_000);
  }
  expect(test.reported().length).toBeGreaterThan(20);
  expect(test.reported().length).toBeLessThanOrEqual(30);
  await test.clock.sleep(4_000);
  await test.report("dlv_last");
  expect(test.reported().at(-1)).toBe("dlv_last");
  expect(test.remarks).toEqual([]);
});

it("after 429, results are dropped until Retry-After is over", async () => {
  await using test = await open();
  test.server.overrides.set("POST /developer/v1/listeners/lsn_1/events/dlv_1/result", {
    status: 429,
    body: { success: false, error: { code: "rate_limited", message: "Too many requests." } },
    retryAfter: 20,
  });
  await test.report("dlv_1");
  await test.report("dlv_2");
  await test.clock.sleep(19_999);
  await test.report("dlv_3");
  expect(test.reported()).toEqual(["dlv_1"]);
  await test.clock.sleep(1);
  await test.report("dlv_4");
  expect(test.reported()).toEqual(["dlv_1", "dlv_4"]);
  expect(test.remarks).toEqual([]);
});
