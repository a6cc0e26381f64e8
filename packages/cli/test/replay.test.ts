import { hiddenHeaderValue } from "@hookwright/domain";
import { createStandardSigner, verifySync } from "@hookwright/signature/node";
import { expect, it } from "vitest";
import { runCli } from "../src/run-cli.ts";
import { apiKey, openDeveloperServer } from "./support/developer-server.ts";
import { openLocalHook } from "./support/local-hook.ts";
import { attempt, delivery, orderBody } from "./support/rows.ts";
import { createTestProgram } from "./support/test-program.ts";

const secret = "whsec_kVn3pR8sT1uW4xZ6aB9cD2eF5gH7jK0l";

const old = {
  ...attempt.request.headers,
  "X-Service-Timestamp": "1700000000",
  "X-Service-Signature": "v1=old",
  "webhook-id": "order.created_ord_1",
  "webhook-timestamp": "1700000000",
  "webhook-signature": "v1,old",
  Authorization: hiddenHeaderValue,
};

/** A service with `dlv_1`, and a receiver on this machine. */
async function openReplay(
  attempts: readonly object[] = [{ ...attempt, request: { headers: old, body: orderBody } }],
) {
  const server = await openDeveloperServer();
  const hook = await openLocalHook();
  server.overrides.set("GET /developer/v1/deliveries/dlv_1", {
    status: 200,
    body: { success: true, data: { ...delivery, attempts } },
  });
  return {
    server,
    hook,
    async run(words: readonly string[], program: Parameters<typeof createTestProgram>[0] = {}) {
      const environment = {
        HOOKWRIGHT_SERVER: server.url,
        HOOKWRIGHT_API_KEY: apiKey,
        ...program.environment,
      };
      const { printed, complained, ...rest } = createTestProgram({ ...program, environment });
      const code = await runCli({ ...rest, commandLine: ["replay", "dlv_1", ...words] });
      return { code, printed: printed.join("\n"), complained: complained.join("\n") };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await hook[Symbol.asyncDispose]();
    },
  };
}

it("a replay keeps the names of the headers that were sent", async () => {
  const names = Object.entries(old).map(([name, value]) => [name.replace("X-Service", "X-Acme"), value]);
  const headers = Object.fromEntries(names);
  await using opened = await openReplay([{ ...attempt, request: { headers, body: orderBody } }]);
  const { hook, run } = opened;
  expect((await run(["--to", hook.url, "--secret", secret])).code).toBe(0);
  const [request] = hook.received;
  expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith("x-service"))).toEqual([]);
  const { headers: received = {}, body = Buffer.from("") } = request ?? {};
  const verified = verifySync({ body, headers: received, secrets: [secret], headerPrefix: "X-Acme" });
  expect(verified).toMatchObject({ id: "order.created_ord_1" });
});

it("a replay sends the same bytes to another URL, signed now and without headers that are not stored", async () => {
  await using opened = await openReplay();
  const { hook, run } = opened;
  const { code, printed } = await run(["--to", hook.url, "--secret", secret]);
  expect(code).toBe(0);
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hook answered 200 after [\d.]+ ms\.\nthanks$/u);
  const [request] = hook.received;
  const { headers = {}, body = Buffer.from("") } = request ?? {};
  expect(body.toString()).toBe(orderBody);
  expect(headers).toMatchObject({ "x-service-event": "order.created", "x-service-delivery": "dlv_1" });
  expect(headers).not.toHaveProperty("authorization");
  const timestamp = Number(headers["x-service-timestamp"]);
  expect(Math.abs(Date.now() / 1_000 - timestamp)).toBeLessThan(60);
  expect(verifySync({ body, headers, secrets: [secret] })).toMatchObject({ id: "order.created_ord_1" });
  const id = "order.created_ord_1";
  expect(headers).toMatchObject({
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": createStandardSigner(secret)({ id, body: orderBody, timestamp }),
  });
});

it("a secret that is typed is asked for without showing it, and is printed nowhere", async () => {
  await using opened = await openReplay();
  const { hook, run } = opened;
  const { code, printed, complained } = await run(["--to", hook.url], {
    hasKeyboard: true,
    answers: [` ${secret}\n`],
  });
  expect({ code, complained }).toEqual({ code: 0, complained: "Signing secret: " });
  expect(printed).not.toContain(secret);
  const { headers = {} } = hook.received[0] ?? {};
  expect(verifySync({ body: orderBody, headers, secrets: [secret] })).toMatchObject({
    event: "order.created",
  });
});

it("--curl prints the command for the URL of the webhook, and sends nothing", async () => {
  await using opened = await openReplay();
  const { hook, run } = opened;
  const environment = { HOOKWRIGHT_SIGNING_SECRET: secret };
  const { code, printed } = await run(["--curl", "--json"], { environment });
  expect(code).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({
    url: delivery.target_url,
    body: orderBody,
    command: expect.stringMatching(/^curl .*https:\/\/example\.com\/hooks/su),
  });
  const { printed: lines } = await run(["--curl"], { environment });
  expect(lines).toMatch(
    /^curl 'https:\/\/example\.com\/hooks' \\\n(?: {2}-H .+ \\\n)+ {2}--data-binary '.+'$/u,
  );
  expect(hook.received).toEqual([]);
});

it.each([
  [["--secret", secret, "--to", "ftp://a"], "--to must be an http or https URL"],
  [["--secret", secret, "--attempt", "2"], '--attempt must be 1 to 1, but is "2".'],
  [
    [],
    "nobody can answer, because standard input is no terminal. Use --secret S, or HOOKWRIGHT_SIGNING_SECRET.",
  ],
])("%j is refused, and nothing is sent", async (words, message) => {
  await using opened = await openReplay();
  const { hook, run } = opened;
  const { code, complained } = await run(words);
  expect({ code, complained }).toEqual({ code: 2, complained: expect.stringContaining(message) });
  expect(hook.received).toEqual([]);
});

it("a delivery without an attempt has nothing to send", async () => {
  await using opened = await openReplay([]);
  const { code, complained } = await opened.run(["--secret", secret]);
  expect(code).toBe(2);
  expect(complained).toContain("dlv_1 has no attempt yet, so there is no request to send again.");
});

it("a refusal and a receiver that cannot be reached end with 1", async () => {
  await using opened = await openReplay();
  const { hook, run } = opened;
  hook.status = 500;
  expect(await run(["--to", hook.url, "--secret", secret])).toMatchObject({
    code: 1,
    printed: expect.stringContaining("answered 500 after"),
  });
  await hook[Symbol.asyncDispose]();
  expect(await run(["--to", hook.url, "--secret", secret])).toMatchObject({
    code: 1,
    printed: expect.stringContaining("answered nothing: "),
  });
});

it.each([
  ["not_kept", "The log of this account keeps no bodies, or none of accepted deliveries."],
  ["erased", "They had data of a person that was erased."],
])("an attempt whose body is %s is not sent, and the reason is said", async (state, reason) => {
  await using opened = await openReplay([
    { ...attempt, body_state: state, request: { headers: old, body: null } },
  ]);
  const { code, complained } = await opened.run(["--to", opened.hook.url, "--secret", secret]);
  expect(code).toBe(2);
  expect(complained).toContain(`The bodies of this attempt are not in the log. ${reason}`);
  expect(opened.hook.received).toEqual([]);
});
