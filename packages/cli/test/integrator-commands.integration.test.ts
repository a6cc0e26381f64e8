import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "../src/run-cli.ts";
import { apiKey, openDeveloperServer } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { delivery, webhook } from "./support/rows.ts";
import { createTestProgram } from "./support/test-program.ts";

let server: DeveloperServer;
beforeAll(async () => {
  server = await openDeveloperServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function run(...commandLine: string[]) {
  const program = createTestProgram({
    environment: { HOOKWRIGHT_SERVER: server.url, HOOKWRIGHT_API_KEY: apiKey },
  });
  const code = await runCli({ ...program, commandLine });
  return { code, printed: program.printed.join("\n"), complained: program.complained.join("\n") };
}

function answer(route: string, data: unknown): void {
  const meta = { has_more: false, next_cursor: null };
  server.overrides.set(route, { status: 200, body: { success: true, data, meta } });
}

it("events lists the events, the fields of one, and its sample", async () => {
  const fields = [{ path: "total", type: "number", required: true, example: 10, description: "Its total." }];
  const sample = { id: "order.paid_ord_1", event: "order.paid" };
  const paid = { event: "order.paid", description: "An order was paid.", fields, sample };
  answer("GET /developer/v1/event-types", [paid, { event: "stock.changed", description: "Stock." }]);
  expect((await run("events")).printed).toMatch(
    /^EVENT .*\norder\.paid +An order was paid\.\nstock\.changed/u,
  );
  expect(JSON.parse((await run("events", "--json")).printed)).toHaveLength(2);
  expect((await run("events", "order.paid")).printed).toMatch(/^An order was paid\.\n\n.*\ntotal +number/u);
  expect(JSON.parse((await run("events", "order.paid", "--sample")).printed)).toEqual(sample);
  expect(await run("events", "order.pait")).toMatchObject({
    code: 2,
    complained: expect.stringContaining("did you mean order.paid?"),
  });
  expect(await run("events", "--sample")).toMatchObject({ code: 2 });
});

it("webhooks pauses, resumes and deletes", async () => {
  for (const [action, route, sentence] of [
    ["pause", "POST /developer/v1/webhooks/wh_1/pause", "wh_1 is paused."],
    ["resume", "POST /developer/v1/webhooks/wh_1/resume", "wh_1 sends events from now on."],
    ["delete", "DELETE /v1/webhooks/wh_1", "wh_1 was deleted."],
  ] as const) {
    answer(route, webhook);
    expect(await run("webhooks", action, "wh_1")).toEqual({ code: 0, printed: sentence, complained: "" });
    expect(await run("webhooks", action)).toMatchObject({ code: 2 });
  }
});

it("deliveries filters by event, status, site and text", async () => {
  const filters = [
    "--event",
    "order.paid",
    "--status",
    "pending",
    "--site",
    "site_shop",
    "--search",
    "ord_1",
  ];
  expect((await run("deliveries", ...filters)).code).toBe(0);
  expect(server.requested("GET", /deliveries$/u).at(-1)?.query).toMatchObject({
    event: "order.paid",
    status: "pending",
    project_id: "site_shop",
    q: "ord_1",
  });
  expect((await run("deliveries", "--status", "fialed")).complained).toContain(
    '--status must be pending, delivered, failed or cancelled, but is "fialed" (did you mean failed?).',
  );
  expect((await run("deliveries", "--status", "failed", "--failed")).complained).toContain(
    "exclude each other",
  );
});

it.each([["deliveries"], ["deliveries", "--follow"]])(
  "%s of an unknown event names the events",
  async (...words) => {
    answer("GET /developer/v1/deliveries", []);
    answer("GET /developer/v1/event-types", [{ event: "order.paid" }, { event: "stock.changed" }]);
    const refused = await run(...words, "--event", "order.payed");
    expect(refused).toEqual({
      code: 2,
      printed: "",
      complained:
        'hookwright: unknown event "order.payed" (did you mean order.paid?). The events are: order.paid, stock.changed.',
    });
    answer("GET /developer/v1/event-types", []);
    expect((await run(...words, "--event", "order.payed")).complained).toBe(
      'hookwright: unknown event "order.payed". The server has no events yet.',
    );
    // The server may have had the event before.
    answer("GET /developer/v1/deliveries", [delivery]);
    if (words.length === 1) expect((await run(...words, "--event", "order.payed")).code).toBe(0);
    server.overrides.delete("GET /developer/v1/deliveries");
  },
);

it.each([[[]], [["--dry-run"]]])(
  "resend %j that finds nothing of an unknown event names the events",
  async (flags) => {
    const job = { id: "rec_1", status: "finished", found: 0, resent: 0, skipped: 0 };
    answer("POST /developer/v1/resends", job);
    answer("GET /developer/v1/event-types", [{ event: "order.paid" }]);
    const resend = (event: string) => run("resend", "--failed", "--since", "2d", "--event", event, ...flags);
    expect(await resend("order.paid")).toMatchObject({ code: 0, complained: "" });
    answer("POST /developer/v1/resends", { ...job, status: "running" });
    answer("GET /developer/v1/resends/rec_1", job);
    expect(await resend("order.payed")).toMatchObject({
      code: 2,
      complained:
        'hookwright: unknown event "order.payed" (did you mean order.paid?). The events are: order.paid.',
    });
    // The server may have had the event before.
    answer("POST /developer/v1/resends", { ...job, found: 1 });
    expect(await resend("order.payed")).toMatchObject({ code: 0, complained: "" });
    for (const route of ["POST /developer/v1/resends", "GET /developer/v1/resends/rec_1"])
      server.overrides.delete(route);
  },
);

it("delivery shows the newest one of a body, and resend refuses to choose between webhooks", async () => {
  const bodyId = "order.created_ord_7";
  const of = (id: string, webhookId: string, row = {}) => ({
    ...delivery,
    id,
    body_id: bodyId,
    webhook_id: webhookId,
    ...row,
  });
  const other = of("dlv_70", "wh_1", { body_id: "order.created_ord_70" });
  answer("GET /developer/v1/deliveries", [other, of("dlv_9", "wh_1"), of("dlv_8", "wh_1")]);
  const shown = await run("delivery", bodyId, "--json");
  expect(JSON.parse(shown.printed)).toMatchObject({ id: "dlv_9" });
  expect(shown.complained).toContain("this is the newest of 2");
  expect(server.requested("GET", /deliveries$/u).at(-1)?.query).toMatchObject({ q: bodyId });
  await run("resend", bodyId);
  expect(server.requested("POST", /resend$/u).at(-1)?.path).toBe("/developer/v1/deliveries/dlv_9/resend");
  answer("GET /developer/v1/deliveries", [of("dlv_9", "wh_1"), of("dlv_8", "wh_2")]);
  expect(await run("resend", bodyId)).toMatchObject({
    code: 2,
    complained: expect.stringMatching(/was sent to 2 webhooks\. .*: dlv_8, dlv_9\.$/u),
  });
  server.overrides.delete("GET /developer/v1/deliveries");
  server.deliveryPages = [[other], [], [of("dlv_6", "wh_1")]];
  const older = await run("delivery", bodyId, "--json");
  expect(JSON.parse(older.printed)).toMatchObject({ id: "dlv_6" });
  server.deliveryPages = [[other]];
  expect(await run("delivery", bodyId)).toMatchObject({
    code: 1,
    complained: expect.stringContaining("neither the id of a delivery"),
  });
});
