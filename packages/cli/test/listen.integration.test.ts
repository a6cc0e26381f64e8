import { verifySync } from "@hookwright/signature/node";
import { expect, it } from "vitest";
import { runCli } from "../src/run-cli.ts";
import { apiKey, consoleToken, openDeveloperServer, signingSecret } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { openLocalHook } from "./support/local-hook.ts";
import { orderBody } from "./support/rows.ts";
import { startProcess } from "./support/run-process.ts";
import { createTestProgram } from "./support/test-program.ts";

const bodyOf = (id: string): string => orderBody.replaceAll("ord_1", id);

function listen(server: DeveloperServer, ...options: string[]) {
  const program = createTestProgram({
    environment: {
      HOOKWRIGHT_SERVER: server.url,
      HOOKWRIGHT_API_KEY: apiKey,
      HOOKWRIGHT_SIGNING_SECRET: signingSecret,
    },
    hasKeyboard: true,
  });
  const ended = runCli({ ...program, commandLine: ["listen", ...options] });
  return { program, ended };
}

it("forwards exactly the bytes and headers of a webhook, and reports the result", async () => {
  await using server = await openDeveloperServer();
  await using hook = await openLocalHook();
  const { program, ended } = listen(
    server,
    "--forward",
    hook.url,
    "--events",
    "order.*, review.submitted",
    "--site",
    "site_shop",
  );
  await expect.poll(() => server.streams).toBe(1);
  expect(server.requested("POST", /listeners$/u)[0]?.json).toEqual({
    events: ["order.*", "review.submitted"],
    project_id: "site_shop",
    signing_secret: signingSecret,
  });
  server.send("dlv_1", bodyOf("ord_1"));
  await expect.poll(() => hook.received.length).toBe(1);
  const [received] = hook.received;
  expect(received?.method).toBe("POST");
  expect(received?.path).toBe("/hook");
  expect(received?.body.toString()).toBe(bodyOf("ord_1"));
  // Only the headers of the connection are added. Names keep their case.
  const names = received?.rawHeaders.filter((_, index) => index % 2 === 0);
  expect(names).toEqual([
    "Host",
    "User-Agent",
    "Content-Type",
    "X-Service-Event",
    "X-Service-Delivery",
    "X-Service-Timestamp",
    "X-Service-Signature",
    "Content-Length",
    "Connection",
  ]);
  verifySync({ body: received?.body ?? "", headers: received?.headers ?? {}, secrets: signingSecret });
  await expect.poll(() => server.requested("POST", /result$/u).length).toBe(1);
  const [result] = server.requested("POST", /result$/u);
  expect(result?.path).toBe("/developer/v1/listeners/lsn_1/events/dlv_1/result");
  expect(result?.json).toEqual({ status: 200, duration_ms: expect.any(Number) });
  program.send("SIGINT");
  expect(await ended).toBe(0);
  expect(server.listeners.size).toBe(0);
  expect(program.printed.join("\n")).toMatch(
    /^Listening for order\.\*, review\.submitted of site_shop\.\nForwarding to http:.*\n.*\n\n\d\d:\d\d:\d\d {2}order\.created {2}dlv_1 {2}200 in [\d.]+ ms\n {2}thanks$/u,
  );
});

it("--header adds to a request what the delivery does not have", async () => {
  await using server = await openDeveloperServer();
  await using hook = await openLocalHook();
  const { program, ended } = listen(server, "--forward", hook.url, "--header", "X-Tenant: 7");
  await expect.poll(() => server.streams).toBe(1);
  server.send("dlv_1", bodyOf("ord_1"));
  await expect.poll(() => hook.received[0]?.headers["x-tenant"]).toBe("7");
  program.send("SIGINT");
  expect(await ended).toBe(0);
});

it("r repeats the last event with a new signature", async () => {
  await using server = await openDeveloperServer();
  await using hook = await openLocalHook();
  hook.status = 500;
  const { program, ended } = listen(server, "--forward", hook.url);
  await expect.poll(() => server.streams).toBe(1);
  program.press("r");
  expect(program.complained).toEqual(["There is no event to repeat yet."]);
  server.send("dlv_1", bodyOf("ord_1"));
  await expect.poll(() => hook.received.length).toBe(1);
  server.send("dlv_2", bodyOf("ord_2"));
  await expect.poll(() => hook.received.length).toBe(2);
  program.press("r");
  await expect.poll(() => hook.received.length).toBe(3);
  const [, , again] = hook.received;
  expect(again?.body.toString()).toBe(bodyOf("ord_2"));
  expect(again?.headers["x-service-delivery"]).toBe("dlv_2");
  verifySync({ body: again?.body ?? "", headers: again?.headers ?? {}, secrets: signingSecret });
  await expect.poll(() => server.requested("POST", /result$/u).length).toBe(3);
  expect(server.requested("POST", /result$/u).at(-1)?.json).toMatchObject({ status: 500 });
  program.press("q");
  expect(await ended).toBe(0);
  expect(server.listeners.size).toBe(0);
});

it("continues after a lost connection without losing or repeating events", async () => {
  await using server = await openDeveloperServer();
  await using hook = await openLocalHook();
  const { program, ended } = listen(server, "--forward", hook.url);
  await expect.poll(() => server.streams).toBe(1);
  server.send("dlv_1", bodyOf("ord_1"));
  await expect.poll(() => hook.received.length).toBe(1);
  server.dropStreams();
  await expect.poll(() => server.streams).toBe(0);
  server.send("dlv_2", bodyOf("ord_2"));
  server.send("dlv_3", bodyOf("ord_3"));
  await expect.poll(() => hook.received.length).toBe(3);
  const streams = server.requested("GET", /events$/u);
  expect(streams.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "dlv_1"]);
  expect(hook.received.map(({ headers }) => headers["x-service-delivery"]).toSorted()).toEqual([
    "dlv_1",
    "dlv_2",
    "dlv_3",
  ]);
  expect(program.complained.join("\n")).toMatch(
    /Connecting again in 0\.\d s\.\nhookwright: connected again\./u,
  );
  program.send("SIGTERM");
  expect(await ended).toBe(0);
});

it("creates another listener, and says so, if the server no longer knows its own", async () => {
  await using server = await openDeveloperServer();
  const { program, ended } = listen(server, "--json");
  await expect.poll(() => server.streams).toBe(1);
  server.forgetListeners();
  server.dropStreams();
  await expect.poll(() => [...server.listeners]).toEqual(["lsn_2"]);
  await expect.poll(() => server.streams).toBe(1);
  server.send("dlv_1", bodyOf("ord_1"));
  await expect.poll(() => program.printed.length).toBe(3);
  program.send("SIGINT");
  expect(await ended).toBe(0);
  const rows = program.printed.map((line) => JSON.parse(line));
  expect(rows.map(({ type, id }) => [type, id])).toEqual([
    ["listening", "lsn_1"],
    ["listening", "lsn_2"],
    ["delivery", "dlv_1"],
  ]);
  expect(rows[2]).toMatchObject({
    event: "order.created",
    body_id: "order.created_ord_1",
    body: bodyOf("ord_1"),
    response: null,
  });
  expect(program.complained.join("\n")).toContain("the server has removed the listener");
});

it("signs an event again that has waited for more than a minute", async () => {
  await using server = await openDeveloperServer();
  await using hook = await openLocalHook();
  const { program, ended } = listen(server, "--forward", hook.url);
  await expect.poll(() => server.streams).toBe(1);
  server.send("dlv_1", bodyOf("ord_1"), { ageSeconds: 400 });
  server.send("dlv_2", bodyOf("ord_2"), { ageSeconds: 20 });
  await expect.poll(() => hook.received.length).toBe(2);
  const ages = hook.received.map(({ headers, body }) => {
    verifySync({ headers, body, secrets: signingSecret, toleranceSeconds: 300 });
    return Date.now() / 1_000 - Number(headers["x-service-timestamp"]);
  });
  expect(Math.min(...ages)).toBeLessThan(20);
  // The other one still has the headers of the service.
  expect(Math.max(...ages)).toBeGreaterThanOrEqual(20);
  program.send("SIGINT");
  expect(await ended).toBe(0);
});

it.each([[[]], [["--json"]]] as const)("warns that the server has dropped events %j", async (options) => {
  await using server = await openDeveloperServer();
  const { program, ended } = listen(server, ...options);
  await expect.poll(() => server.streams).toBe(1);
  server.write('event: dropped\ndata: {"message":"Events were dropped."}\n\n');
  await expect.poll(() => program.complained).toEqual(["hookwright: warning: Events were dropped."]);
  const row = '{"type":"dropped","message":"Events were dropped."}';
  expect(program.printed.includes(row)).toBe(options.length > 0);
  program.send("SIGINT");
  expect(await ended).toBe(0);
});

it("reports that nothing listens at the local URL, and goes on", async () => {
  await using server = await openDeveloperServer();
  const hook = await openLocalHook();
  await hook[Symbol.asyncDispose]();
  const { program, ended } = listen(server, "--forward", hook.url);
  await expect.poll(() => server.streams).toBe(1);
  server.send("dlv_1", bodyOf("ord_1"));
  await expect.poll(() => server.requested("POST", /result$/u).length).toBe(1);
  expect(server.requested("POST", /result$/u)[0]?.json).toEqual({
    duration_ms: expect.any(Number),
    error: expect.stringMatching(/^nothing listens on 127\.0\.0\.1:\d+$/u),
  });
  program.send("SIGINT");
  expect(await ended).toBe(0);
});

it.each([
  ["the key is revoked", apiKey, "invalid_api_key", "Run `hookwright login` with a key"],
  ["the login is ended", consoleToken, "invalid_api_key", "ended this login in the console"],
  ["the login has expired", consoleToken, "console_token_expired", "Run `hookwright login` again."],
])("ends with 3 if %s while it listens", async (_, token, code, advice) => {
  await using server = await openDeveloperServer();
  const { program, ended } = listen(server, "--key", token);
  await expect.poll(() => server.streams).toBe(1);
  server.overrides.set("GET /developer/v1/listeners/lsn_1/events", {
    status: 401,
    body: { success: false, error: { code, message: "The credential is refused." } },
  });
  server.dropStreams();
  expect(await ended).toBe(3);
  expect(program.complained.at(-1)).toContain("The credential is refused. ");
  expect(program.complained.at(-1)).toContain(advice);
});

it.each(["SIGINT", "SIGTERM"] as const)(
  "as a process, %s deletes the listener and exits with 0",
  async (signal) => {
    await using server = await openDeveloperServer();
    const running = startProcess(["listen"], {
      env: {
        HOOKWRIGHT_SERVER: server.url,
        HOOKWRIGHT_API_KEY: apiKey,
        HOOKWRIGHT_SIGNING_SECRET: signingSecret,
      },
    });
    await expect.poll(() => server.streams).toBe(1);
    server.send("dlv_1", bodyOf("ord_1"));
    await expect.poll(() => running.stdout).toContain(bodyOf("ord_1"));
    running.child.kill(signal);
    const { code, stdout } = await running.exited;
    expect(code).toBe(0);
    expect(server.listeners.size).toBe(0);
    expect(server.requested("DELETE", /lsn_1$/u)).toHaveLength(1);
    expect(stdout).not.toContain("\u001b");
  },
);
