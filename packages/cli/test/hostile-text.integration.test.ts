import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "../src/run-cli.ts";
import { apiKey, openDeveloperServer } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { attempt, delivery, webhook } from "./support/rows.ts";
import { createTestProgram } from "./support/test-program.ts";

/** Clears the screen, sets a colour, begins a line, and turns the text round. */
const hostile = "x\u001b[2J\u001b[31m\r\ny\u009b\u202e\u2066\u200f";
const account = { id: hostile, name: hostile, email: hostile, plan: { name: hostile } };
const whole = {
  ...delivery,
  status: hostile,
  event: hostile,
  target_url: hostile,
  body_id: hostile,
  attempts: [{ ...attempt, detail: hostile, excerpt: hostile, headers: { [hostile]: hostile } }],
};
const answers = {
  "GET /v1/me": account,
  "GET /developer/v1/webhooks": [{ ...webhook, target_url: hostile, event: hostile, status: hostile }],
  "GET /developer/v1/deliveries": [whole],
  "GET /developer/v1/deliveries/dlv_1": whole,
  "GET /developer/v1/deliveries/dlv_3": whole,
  "POST /developer/v1/trigger": { id: hostile, event: hostile, listeners: 1 },
};
let server: DeveloperServer;

beforeAll(async () => {
  server = await openDeveloperServer();
  for (const [route, data] of Object.entries(answers))
    server.overrides.set(route, { status: 200, body: { success: true, data } });
  const refusal = { success: false, error: { code: "invalid_state", message: hostile } };
  server.overrides.set("POST /developer/v1/webhooks/wh_1/recoveries", { status: 409, body: refusal });
});
afterAll(() => server[Symbol.asyncDispose]());

it.each([
  [["whoami"]],
  [["webhooks"]],
  [["deliveries"]],
  [["delivery", "dlv_1"]],
  [["resend", "dlv_1"]],
  [["trigger", "order.created"]],
  [["recover", "wh_1", "--since", "1h"]],
])("%j shows control characters of the server as escapes", async (commandLine) => {
  for (const extra of [[], ["--json"]]) {
    const program = createTestProgram({
      environment: { HOOKWRIGHT_SERVER: server.url, HOOKWRIGHT_API_KEY: apiKey },
      isTerminal: true,
    });
    await runCli({ ...program, commandLine: [...commandLine, ...extra] });
    const lines = [...program.printed, ...program.complained];
    // oxlint-disable-next-line no-control-regex -- every colour begins with it
    const own = /\u001b\[(?:1|2|22|3[1236]|39)m/gu;
    const isIntact = extra.length > 0 ? /^[\n -~…é]*$/u : /^[\t -~…é█]*$/u;
    for (const line of lines) expect(line.replaceAll(own, "<c>")).toMatch(isIntact);
    expect(lines.join("\n")).toContain("\\u001b[2J\\u001b[31m");
  }
});
