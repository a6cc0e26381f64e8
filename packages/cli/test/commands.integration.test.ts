import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import os, { tmpdir } from "node:os";
import path from "node:path";
import { createSignedHeaders } from "@hookwright/signature";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { integratorCommands } from "../src/all-commands.ts";
import { runCli } from "../src/run-cli.ts";
import { apiKey, openDeveloperServer } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { delivery, orderBody } from "./support/rows.ts";
import { runProcess, startProcess } from "./support/run-process.ts";
import { createTestProgram } from "./support/test-program.ts";

let folder = "";
let server: DeveloperServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hookwright-cli-"));
  server = await openDeveloperServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const environment = () => ({ HOOKWRIGHT_SERVER: server.url, HOOKWRIGHT_API_KEY: apiKey });

/** Runs a command inside this process, over a real socket. */
async function run(commandLine: readonly string[], env: Readonly<Record<string, string>> = environment()) {
  const program = createTestProgram({ environment: env });
  const code = await runCli({ ...program, commandLine });
  return { code, printed: program.printed.join("\n"), complained: program.complained.join("\n") };
}

describe("as a process, into a pipe,", () => {
  it.each([
    [["whoami"], 0],
    [["trigger", "order.created", "--set", "total=10"], 0],
    [["webhooks"], 0],
    [["deliveries"], 0],
    [["deliveries", "--failed"], 0],
    [["delivery", "dlv_1"], 0],
    [["resend", "dlv_1"], 0],
    [["recover", "wh_1", "--since", "2h"], 0],
  ] as const)("%j prints text without colours", async (commandLine, status) => {
    const { code, printed, complained } = await run(commandLine);
    expect(complained).toBe(
      commandLine[0] === "trigger"
        ? "hookwright: no listener is running. Start `hookwright listen` in another terminal."
        : "",
    );
    expect(code).toBe(status);
    expect(printed).not.toContain("\u001b");
    expect(`${printed}\n`.replaceAll(/http:\/\/127\S+/gu, "http://SERVER")).toMatchSnapshot();
  });

  it.each([
    [["lisen"], 2, "did you mean listen?"],
    [["serve"], 2, "standalone server"],
    [["--forward", "x"], 2, "Options must follow a command"],
    [[], 2, "no command given"],
  ] as const)("%j ends with %d", async (commandLine, status, message) => {
    const { code, stdout, stderr } = await runProcess(commandLine, { env: environment() });
    expect({ code, stdout }).toEqual({ code: status, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /mu);
  });

  it("trigger --fields prints what the schema of the event says, and sends nothing", async () => {
    const field = { required: true, values: [], description: "Unit price." };
    const fields = [
      { ...field, path: "items[].price", type: "number", example: 4.5 },
      { ...field, path: "carrier", type: "text", required: false, values: ["DHL", "UPS"], example: "DHL" },
    ];
    const rows = [
      { event: "order.paid", fields: [] },
      { event: "order.shipped", fields },
    ];
    server.overrides.set("GET /developer/v1/event-types", {
      status: 200,
      body: { success: true, data: rows, meta: { has_more: false, next_cursor: null } },
    });
    const sent = server.requested("POST", /trigger/u).length;
    const { printed } = await run(["trigger", "order.shipped", "--fields"]);
    expect(printed.split("\n")).toEqual([
      "FIELD          TYPE            EXAMPLE        DESCRIPTION",
      "items[].price  number          4.5            Unit price.",
      'carrier        text, optional  "DHL" | "UPS"  Unit price.',
    ]);
    const json = await run(["trigger", "order.shipped", "--fields", "--json"]);
    expect(JSON.parse(json.printed)).toEqual(fields);
    const unknown = await run(["trigger", "order.shiped", "--fields"]);
    expect(unknown).toMatchObject({
      code: 2,
      complained: expect.stringContaining("order.paid, order.shipped"),
    });
    expect(server.requested("POST", /trigger/u)).toHaveLength(sent);
    server.overrides.delete("GET /developer/v1/event-types");
  });

  it("login stores the key in a file that only its owner can read", async () => {
    const home = path.join(folder, "config");
    const env = { XDG_CONFIG_HOME: home, HOOKWRIGHT_SERVER: server.url };
    const login = await runProcess(["login", "--key", apiKey], { env });
    expect(login).toMatchObject({ code: 0, stderr: "" });
    const file = path.join(home, "hookwright", "credentials.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    // The server of the last login is used without the variable.
    const whoami = await runProcess(["whoami", "--json"], { env: { XDG_CONFIG_HOME: home } });
    expect(JSON.parse(whoami.stdout)).toMatchObject({
      account: { id: "acc_1" },
      server: server.url,
      credential: { kind: "key", source: "file" },
    });
    const logout = await runProcess(["logout"], { env: { XDG_CONFIG_HOME: home } });
    expect(logout.stdout).toContain("Logged out of");
    await expect(stat(file)).rejects.toThrow("ENOENT");
    expect((await runProcess(["whoami"], { env })).code).toBe(3);
  });

  it("verify reads the body from standard input, byte by byte", async () => {
    const headers = path.join(folder, "piped.json");
    await writeFile(
      headers,
      JSON.stringify(
        await createSignedHeaders({
          body: orderBody,
          secret: "whsec_a",
          event: "order.created",
          deliveryId: "dlv_1",
        }),
      ),
    );
    const line = ["verify", "--secret", "whsec_a", "--headers", headers, "--body", "-"];
    const valid = await runProcess(line, { input: orderBody });
    expect(valid).toMatchObject({ code: 0, stderr: "" });
    expect(valid.stdout).toMatch(/^✓ The signature is valid\.\n {2}Event {6}order\.created\n/u);
    // As a receiver keeps them while one is rotated.
    const both = await runProcess(line.with(2, "whsec_new,whsec_a"), { input: orderBody });
    expect(both).toMatchObject({ code: 0, stdout: expect.stringContaining("The signature is valid.") });
    const changed = await runProcess(line, { input: `${orderBody}\n` });
    expect(changed.code).toBe(1);
    expect(changed.stdout).toMatchSnapshot();
  });

  it("deliveries --follow prints changes, one JSON document in each line", async () => {
    await using other = await openDeveloperServer();
    const fresh = { ...delivery, id: "dlv_9", status: "pending", created_at: new Date().toISOString() };
    other.deliveries = [];
    const running = startProcess(["deliveries", "--follow", "--json"], {
      env: { HOOKWRIGHT_SERVER: other.url, HOOKWRIGHT_API_KEY: apiKey },
    });
    await expect.poll(() => other.requests.length).toBeGreaterThan(0);
    other.deliveries = [{ ...fresh, created_at: new Date(Date.now() + 1_000).toISOString() }];
    await expect.poll(() => running.stdout).toContain("dlv_9");
    other.deliveries = [{ ...fresh, status: "delivered" }];
    await expect.poll(() => running.stdout).toContain("delivered");
    running.child.kill("SIGINT");
    const { code, stdout } = await running.exited;
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).status),
    ).toEqual(["pending", "delivered"]);
  });
});

describe("every command", () => {
  const names = integratorCommands.map(({ name }) => name);

  it.each(names)("%s --help has examples, and fits a terminal except for them", async (name) => {
    const { code, printed } = await run([name, "--help"], {});
    expect(code).toBe(0);
    expect(printed).toMatch(new RegExp(`^Usage: hookwright ${name}.*\\[options\\]\n`, "u"));
    expect(printed).toContain("\nExamples:\n");
    const long = printed.split("\n").filter((line) => line.length > 80 && !line.includes("hookwright "));
    expect(long).toEqual([]);
  });

  it("lists only the common options that mean something for it, and accepts all", async () => {
    const listed: Record<string, readonly string[]> = {};
    for (const name of names) {
      const { printed } = await run([name, "--help"], {});
      listed[name] = ["server", "key", "json"].filter((flag) => printed.includes(`\n  --${flag} `));
      expect((await run([name, "--server", "s", "--key", "k", "--json", "--help"], {})).code).toBe(0);
    }
    const all = ["server", "key", "json"];
    expect(listed).toEqual({
      ...Object.fromEntries(names.map((name) => [name, all])),
      logout: ["server", "json"],
      operate: ["server", "json"],
      "import-webhooks": ["server", "json"],
      types: ["server", "json"],
      profiles: ["json"],
      verify: ["json"],
      completion: ["json"],
      mcp: ["server", "key"],
    });
  });

  it.each(names)("%s refuses an unknown option with a suggestion", async (name) => {
    const { code, complained } = await run([name, "--jsno"]);
    expect(code).toBe(2);
    expect(complained).toContain('unknown option "--jsno" (did you mean --json?)');
  });

  it.each([
    [["login"], "nobody can answer"],
    [["login", "--email", "a@b.c"], "Use HOOKWRIGHT_PASSWORD"],
    [["login", "--email", "a@b.c", "--key", "k"], "exclude each other"],
    [["listen", "--forward", "localhost:3000"], "Write http://localhost:3000."],
    [["listen", "--forward"], "--forward needs a value: URL"],
    [["listen", "--events", "a", "--events", "b"], "--events is given twice"],
    [["listen", "now"], 'unexpected argument "now"'],
    [["trigger"], "EVENT is missing"],
    [["trigger", "order.created", "--data", "/nonexistent"], "cannot be read"],
    [["verify", "--secret", "s"], "--headers, --body are missing"],
    [["deliveries", "--since", "soon"], "is no age and no timestamp"],
    [["deliveries", "--search", "ord_1", "--follow"], "--search cannot be used with --follow"],
    [["deliveries", "--failed=yes"], "--failed takes no value"],
    [["recover", "wh_1"], "--since is missing"],
    [["recover", "wh_1", "--turn-on", "--missed"], "leave out --missed"],
    [["resend"], "Name a delivery by its id, or use --failed, --cancelled, --not-sent or --issue."],
    [["resend", "--failed"], "--since is missing"],
    [["resend", "dlv_1", "--failed"], '--failed chooses many deliveries: leave out the id "dlv_1".'],
    [["completion", "fishy"], "did you mean fish?"],
    [
      ["whoami", "--server", "example.com"],
      "--server must be an http or https URL. Write http://example.com or",
    ],
    [["whoami", "--server", "localhost:3000"], "Write http://localhost:3000 or https://localhost:3000."],
    [["whoami", "--server", "https://a:b@example.com"], "must not contain a user"],
  ])("%j is wrong usage and ends with 2", async (commandLine, message) => {
    const { code, printed, complained } = await run(commandLine);
    expect({ code, printed }).toEqual({ code: 2, printed: "" });
    expect(complained).toContain(message);
  });
});

describe("a credential", () => {
  it("from an option beats the variable, and the variable beats the file", async () => {
    expect((await run(["whoami", "--key", "hwk_wrong"])).code).toBe(3);
    expect(
      (await run(["whoami"], { ...environment(), HOOKWRIGHT_API_KEY: "hwk_wrong" })).complained,
    ).toContain("correct HOOKWRIGHT_API_KEY");
    expect(
      (await run(["whoami", "--key", apiKey], { ...environment(), HOOKWRIGHT_API_KEY: "hwk_wrong" })).code,
    ).toBe(0);
  });

  it("that is stored for one server is never sent to another", async () => {
    await using other = await openDeveloperServer();
    const home = path.join(folder, "two servers");
    const env = { XDG_CONFIG_HOME: home };
    expect((await run(["login", "--key", apiKey, "--server", server.url], env)).code).toBe(0);
    const { code, complained } = await run(["whoami", "--server", other.url], env);
    expect({ code, complained }).toEqual({
      code: 3,
      complained: expect.stringContaining(`no API key and no login for ${other.url}`),
    });
    expect(other.requests).toEqual([]);
  });

  it("that the server refuses is not stored", async () => {
    const home = path.join(folder, "refused");
    const env = { XDG_CONFIG_HOME: home };
    expect((await run(["login", "--key", "hwk_wrong", "--server", server.url], env)).code).toBe(3);
    await expect(stat(path.join(home, "hookwright"))).rejects.toThrow("ENOENT");
  });

  it("is not sent to where a redirect leads", async () => {
    await using other = await openDeveloperServer();
    other.overrides.set("GET /v1/me", { status: 302, body: "" });
    const { code, complained } = await run(["whoami"], {
      HOOKWRIGHT_SERVER: other.url,
      HOOKWRIGHT_API_KEY: apiKey,
    });
    expect(code).toBe(3);
    expect(complained).toContain("is not a Hookwright server");
  });

  it("that is given needs no home folder and no file", async () => {
    const line = ["whoami", "--json", "--server", server.url];
    const broken = path.join(folder, "broken");
    await mkdir(path.join(broken, "hookwright", "credentials.json"), { recursive: true });
    for (const home of [
      { XDG_CONFIG_HOME: broken },
      { XDG_CONFIG_HOME: "/dev/null" },
      { XDG_CONFIG_HOME: "" },
    ])
      for (const given of [
        { line: [...line, "--key", apiKey], env: {} },
        { line, env: { HOOKWRIGHT_API_KEY: apiKey } },
      ])
        expect(await run(given.line, { ...home, ...given.env })).toMatchObject({ code: 0, complained: "" });
  });
});

describe("without a home folder", () => {
  // A user that the system does not know, as in a container.
  const env = { XDG_CONFIG_HOME: "" };
  beforeAll(() => {
    vi.spyOn(os, "homedir").mockImplementation(() => {
      throw new Error("uv_os_homedir returned ENOENT");
    });
    syncBuiltinESMExports();
  });
  afterAll(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it("a key is enough, and a login says what to do", async () => {
    expect(await run(["whoami"], { ...environment(), ...env })).toMatchObject({ code: 0, complained: "" });
    expect((await run(["whoami"], env)).complained).toContain("Use --key or HOOKWRIGHT_API_KEY");
    expect((await run(["logout"], env)).printed).toContain("There is no stored login");
    expect(await run(["login", "--key", apiKey, "--server", server.url], env)).toEqual({
      code: 2,
      printed: "",
      complained: expect.stringMatching(
        /^hookwright: there is no home folder .* Set HOME or XDG_CONFIG_HOME\./u,
      ),
    });
  });
});

describe("the server", () => {
  it("that is not there ends a command with 3 and its address", async () => {
    const { code, complained } = await run(["webhooks"], {
      HOOKWRIGHT_SERVER: "http://127.0.0.1:1",
      HOOKWRIGHT_API_KEY: apiKey,
    });
    expect(code).toBe(3);
    expect(complained).toMatch(/cannot reach http:\/\/127\.0\.0\.1:1: .* Is the server running\?/u);
  });

  it("that is something else ends a command with 3", async () => {
    await using other = await openDeveloperServer();
    other.overrides.set("GET /developer/v1/webhooks", { status: 200, body: "<html>" });
    const { code, complained } = await run(["webhooks"], {
      HOOKWRIGHT_SERVER: other.url,
      HOOKWRIGHT_API_KEY: apiKey,
    });
    expect({ code, complained }).toEqual({
      code: 3,
      complained: expect.stringContaining("is not a Hookwright server"),
    });
  });

  it("that limits requests is asked again after Retry-After", async () => {
    await using other = await openDeveloperServer();
    other.overrides.set("GET /developer/v1/webhooks", {
      status: 429,
      body: { success: false, error: { code: "rate_limited", message: "Too many requests." } },
      once: true,
    });
    const { code, complained } = await run(["webhooks"], {
      HOOKWRIGHT_SERVER: other.url,
      HOOKWRIGHT_API_KEY: apiKey,
    });
    expect(code).toBe(0);
    expect(complained).toBe("hookwright: the rate limit is reached. Waiting 1 s.");
  });
});

describe("a command", () => {
  it("trigger merges a file and fields", async () => {
    const file = path.join(folder, "order.json");
    await writeFile(file, '{"total": 5, "customer": {"name": "Ada"}}');
    await run([
      "trigger",
      "order.paid",
      "--data",
      file,
      "--set",
      "total=10",
      "--set",
      "customer.email=a@b.c",
      "--site",
      "site_1",
    ]);
    expect(server.requested("POST", /trigger$/u).at(-1)?.json).toEqual({
      event: "order.paid",
      project_id: "site_1",
      data: { total: 10, customer: { name: "Ada", email: "a@b.c" } },
      strict: true,
      test: false,
    });
  });

  it("trigger sends an ordinary delivery, and with --test a test", async () => {
    const body = () => server.requested("POST", /trigger$/u).at(-1)?.json;
    await run(["trigger", "order.paid"]);
    expect(body()).toEqual({ event: "order.paid", test: false });
    const { printed } = await run(["trigger", "order.paid", "--test"]);
    expect(body()).toEqual({ event: "order.paid", test: true });
    expect(printed).toMatch(/ was sent to 0 listeners, as a test\.$/u);
  });

  it("deliveries shows the last answer, or the error", async () => {
    await using other = await openDeveloperServer();
    other.deliveries = [
      { ...delivery, id: "dlv_a", status: "pending", last_status: null, last_error: null },
      { ...delivery, id: "dlv_b", status: "failed", last_status: 503, last_error: "status" },
      { ...delivery, id: "dlv_c", status: "failed", last_status: null, last_error: "blocked_address" },
    ];
    const { printed } = await run(["deliveries"], {
      HOOKWRIGHT_SERVER: other.url,
      HOOKWRIGHT_API_KEY: apiKey,
    });
    expect(printed.split("\n").map((line) => line.split(/ {2,}/u).slice(3, -1))).toEqual([
      ["ATTEMPTS", "ANSWER", "ID"],
      ["1", "dlv_a"],
      ["1", "503", "dlv_b"],
      ["1", "blocked_address", "dlv_c"],
    ]);
  });

  it("deliveries sends its filters, and compares the time itself", async () => {
    const { printed } = await run([
      "deliveries",
      "--failed",
      "--since",
      "1h",
      "--webhook",
      "wh_1",
      "--search",
      "ord_1",
      "--json",
    ]);
    expect(server.requested("GET", /deliveries$/u).at(-1)?.query).toMatchObject({
      status: "failed",
      webhook_id: "wh_1",
      since: expect.stringMatching(/Z$/u),
      q: "ord_1",
    });
    // The rows of the test are older than an hour.
    expect(JSON.parse(printed)).toEqual([]);
  });

  it("resend ends with 1 if the first attempt fails", async () => {
    await using other = await openDeveloperServer();
    other.overrides.set("GET /developer/v1/deliveries/dlv_3", {
      status: 200,
      body: {
        success: true,
        data: {
          ...delivery,
          status: "pending",
          next_attempt_at: "2026-11-20T09:30:15Z",
          attempts: [
            {
              number: 1,
              status: null,
              error: "timeout",
              detail: "No response within 10 s.",
              duration_ms: 10_000,
            },
          ],
        },
      },
    });
    const { code, printed } = await run(["resend", "dlv_1"], {
      HOOKWRIGHT_SERVER: other.url,
      HOOKWRIGHT_API_KEY: apiKey,
    });
    expect(code).toBe(1);
    expect(printed).toBe(
      "dlv_3 was created.\nAttempt 1: No response within 10 s.\nThe next attempt is at 2026-11-20T09:30:15Z.",
    );
  });

  it("resend without an id sends all that match as one job, and shows its progress", async () => {
    const chosen = "--failed --not-sent --since 2026-11-20T09:30:00Z";
    const narrowed = "--webhook wh_1 --event order.paid --site site_1";
    const { code, printed } = await run(["resend", ...chosen.split(" "), ...narrowed.split(" ")]);
    expect([code, printed]).toEqual([
      0,
      "0 of 4 sent again\n2 of 4 sent again\n4 of 4 sent again\nThe resend rec_1 is finished.",
    ]);
    const filter = {
      statuses: ["failed"],
      since: "2026-11-20T09:30:00Z",
      webhook_ids: ["wh_1"],
      event: "order.paid",
      project_id: "site_1",
    };
    expect(server.requested("POST", /resends$/u).at(-1)?.json).toEqual({ filter, not_sent: true });
  });

  it("resend --dry-run only counts", async () => {
    const { code, printed } = await run(["resend", "--cancelled", "--since", "2d", "--dry-run"]);
    expect([code, printed]).toEqual([0, "3 would be sent again, 1 skipped."]);
    expect(server.requested("POST", /resends$/u).at(-1)?.json).toMatchObject({
      filter: { statuses: ["cancelled"] },
      dry_run: true,
    });
  });

  it("resend --issue sends again what an issue has, without a time", async () => {
    for (const [flags, statuses] of [
      [[], ["failed", "cancelled"]],
      [["--failed"], ["failed"]],
    ] as const) {
      expect((await run(["resend", "--issue", "iss_1", ...flags, "--dry-run"])).code).toBe(0);
      const filter = { statuses, issue: "iss_1" };
      expect(server.requested("POST", /resends$/u).at(-1)?.json).toEqual({ filter, dry_run: true });
    }
  });

  it("issues lists equal failures, and marks one", async () => {
    const { code, printed } = await run(["issues", "--webhook", "wh_1", "--since", "2026-11-20T09:30:00Z"]);
    expect([code, printed.split("\n").map((line) => line.split(/ {2,}/u).slice(1))]).toEqual([
      0,
      [
        ["MARK", "DELIVERIES", "ID", "WEBHOOK", "FAILURE"],
        ["open", "12", "iss_1", "wh_1", "500: order # not found"],
        ["acknowledged", "1", "iss_2", "wh_1", "timeout"],
      ],
    ]);
    expect(server.requested("GET", /issues$/u).at(-1)?.query).toEqual({
      webhook_id: "wh_1",
      since: "2026-11-20T09:30:00Z",
    });
    expect(await run(["issues", "acknowledge", "iss_1"])).toMatchObject({
      code: 0,
      printed: "iss_1 is acknowledged.",
    });
    expect(server.requested("PATCH", /issues\/iss_1$/u).at(-1)?.json).toEqual({ status: "acknowledged" });
    const { printed: asJson } = await run(["issues", "ignore", "iss_1", "--json"]);
    expect(JSON.parse(asJson)).toMatchObject({ id: "iss_1", status: "ignored" });
  });

  it("recover sends the time and --missed", async () => {
    expect((await run(["recover", "wh_1", "--since", "2026-11-20T09:30:00Z", "--missed"])).code).toBe(0);
    expect(server.requested("POST", /recoveries$/u).at(-1)).toMatchObject({
      path: "/developer/v1/webhooks/wh_1/recoveries",
      json: { since: "2026-11-20T09:30:00Z", missed: true },
    });
  });

  it("recover --turn-on is one job, which turns the webhook on", async () => {
    const { code, printed } = await run(["recover", "wh_1", "--turn-on"]);
    expect([code, printed]).toEqual([0, expect.stringContaining("The recovery is finished.")]);
    expect(server.requested("POST", /resends$/u).at(-1)?.json).toEqual({
      filter: { webhook_ids: ["wh_1"] },
      turn_on: true,
    });
  });

  it.each([
    [
      "wh_1",
      "invalid_state",
      "webhook wh_1 is active already. To send again what it did not accept, replace --turn-on by --since AGE.",
    ],
    ["wh_2x", "validation_failed", 'there is no webhook "wh_2x"'],
  ])("recover %s --turn-on, refused with %s, says what the user can do", async (id, code, message) => {
    await using other = await openDeveloperServer();
    const body = { success: false, error: { code, message: "filter.webhook_ids: refused" } };
    other.overrides.set("POST /developer/v1/resends", { status: 409, body });
    const { complained } = await run(["recover", id, "--turn-on"], {
      HOOKWRIGHT_SERVER: other.url,
      HOOKWRIGHT_API_KEY: apiKey,
    });
    expect(complained).toContain(message);
  });

  it.each([
    ["whoami"],
    ["webhooks"],
    ["deliveries"],
    ["delivery", "dlv_1"],
    ["delivery", "order.created_ord_1"],
    ["resend", "dlv_1"],
    ["resend", "--failed", "--since", "1h"],
    ["resend", "--failed", "--since", "1h", "--dry-run"],
    ["trigger", "order.paid"],
    ["recover", "wh_1", "--since", "1h"],
    ["completion", "bash"],
  ])("%s prints exactly one JSON document with --json", async (...commandLine) => {
    const { code, printed } = await run([...commandLine, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toBeTypeOf("object");
  });

  it("prints its error as JSON with --json", async () => {
    const { code, printed, complained } = await run(["delivery", "dlv_unknown", "--json"]);
    expect({ code, printed }).toEqual({ code: 1, printed: "" });
    expect(JSON.parse(complained)).toEqual({
      error: { code: "resource_not_found", message: expect.any(String) },
    });
  });

  it.each(["bash", "zsh", "fish"])("completion %s names every command and option", async (shell) => {
    const { printed } = await run(["completion", shell]);
    for (const { name } of integratorCommands) expect(printed).toContain(name);
    for (const flag of ["forward", "follow", "missed", "allow-writes"]) expect(printed).toContain(flag);
  });

  it("uses colours on a terminal, unless NO_COLOR is set", async () => {
    const print = async (env: Readonly<Record<string, string>>) => {
      const program = createTestProgram({ environment: { ...environment(), ...env }, isTerminal: true });
      await runCli({ ...program, commandLine: ["deliveries"] });
      return program.printed.join("\n");
    };
    expect(await print({})).toContain("\u001b[32mdelivered");
    expect(await print({ NO_COLOR: "1" })).not.toContain("\u001b");
  });
});

it("a damaged credentials file is named", async () => {
  const home = path.join(folder, "damaged");
  const env = { XDG_CONFIG_HOME: home };
  await run(["login", "--key", apiKey, "--server", server.url], env);
  const file = path.join(home, "hookwright", "credentials.json");
  await writeFile(file, (await readFile(file, "utf8")).slice(0, 20));
  const { code, complained } = await run(["whoami"], env);
  expect({ code, complained }).toEqual({
    code: 2,
    complained: expect.stringContaining(`${file} is damaged.`),
  });
});

describe("webhooks create", () => {
  it("creates one webhook for all its events, and prints the secret", async () => {
    const data = {
      id: "wh_2",
      event: "*",
      events: ["order.created", "order.paid"],
      signing_secret: "whsec_new",
      standard_signing_secret: "whsec_bmV3",
    };
    server.overrides.set("POST /developer/v1/webhooks", { status: 201, body: { success: true, data } });
    const commandLine = [
      "webhooks",
      "create",
      "--url",
      "https://example.com/",
      "--events",
      "order.paid, order.created, ,",
    ];
    const { code, printed } = await run([...commandLine, "--site", "site_shop"]);
    expect([code, printed.split("\n")]).toEqual([
      0,
      [
        "wh_2 was created. Its signing secret, shown only now: whsec_new",
        "The same secret for a library of Standard Webhooks: whsec_bmV3",
      ],
    ]);
    expect(server.requested("POST", /^\/developer\/v1\/webhooks$/u).at(-1)?.json).toEqual({
      target_url: "https://example.com/",
      events: ["order.paid", "order.created"],
      project_id: "site_shop",
    });
    const { signing_secret: _, standard_signing_secret: __, ...existing } = data;
    server.overrides.set("POST /developer/v1/webhooks", {
      status: 200,
      body: { success: true, data: existing },
    });
    expect((await run(commandLine)).printed).toBe("wh_2 exists already. Nothing was changed.");
    server.overrides.delete("POST /developer/v1/webhooks");
  });

  it("creates one with a name and headers that sends nothing yet, and says how to go live", async () => {
    const data = { id: "wh_2", status: "paused", signing_secret: "whsec_new" };
    server.overrides.set("POST /developer/v1/webhooks", { status: 201, body: { success: true, data } });
    const named = [
      "--name",
      "Warehouse",
      "--paused",
      "--header",
      "Authorization: Basic a:b",
      "--header=X-Shop:1",
    ];
    const create = ["webhooks", "create", "--url", "https://example.com/", "--events", "*"];
    const { code, printed } = await run([...create, ...named]);
    server.overrides.delete("POST /developer/v1/webhooks");
    expect(code).toBe(0);
    expect(printed).toContain("Test it with `hookwright webhooks test wh_2`, then go live");
    expect(server.requested("POST", /webhooks$/u).at(-1)?.json).toEqual({
      target_url: "https://example.com/",
      events: ["*"],
      name: "Warehouse",
      headers: { Authorization: "Basic a:b", "X-Shop": "1" },
      paused: true,
    });
  });

  it("tests and resumes a webhook", async () => {
    const test = "POST /developer/v1/webhooks/wh_1/test";
    const answer = (data: object) =>
      server.overrides.set(test, { status: 200, body: { success: true, data } });
    answer({ status: 204, error: null, duration_ms: 12 });
    expect(await run(["webhooks", "test", "wh_1", "--event", "order.paid"])).toMatchObject({
      code: 0,
      printed: expect.stringContaining("Test: After 12 ms, your endpoint answered 204."),
    });
    expect(server.requested("POST", /test$/u).at(-1)?.json).toEqual({ event: "order.paid" });
    const file = path.join(folder, "edited.json");
    await writeFile(file, '{"total":"9.00"}');
    const edited = ["webhooks", "test", "wh_1", "--event", "order.paid", "--data", file];
    expect(await run(edited)).toMatchObject({ code: 0 });
    expect(server.requested("POST", /test$/u).at(-1)?.json).toEqual({
      event: "order.paid",
      data: { total: "9.00" },
    });
    expect(await run(["webhooks", "test", "wh_1", "--delivery", "dlv_1"])).toMatchObject({ code: 0 });
    expect(server.requested("POST", /test$/u).at(-1)?.json).toEqual({ delivery_id: "dlv_1" });
    answer({ status: 500, error: "status", duration_ms: 12, detail: "The endpoint answered 500." });
    expect(await run(["webhooks", "test", "wh_1"])).toMatchObject({ code: 1 });
    server.overrides.set("POST /developer/v1/webhooks/wh_1/resume", {
      status: 200,
      body: { success: true, data: { id: "wh_1", status: "active" } },
    });
    expect(await run(["webhooks", "resume", "wh_1"])).toMatchObject({
      code: 0,
      printed: "wh_1 sends events from now on.",
    });
  });

  it.each([
    [["webhooks", "test"], "WEBHOOK is missing"],
    [
      ["webhooks", "test", "wh_1", "--delivery", "dlv_1", "--data", "a.json"],
      "--delivery cannot be used with",
    ],
    [["webhooks", "resume", "wh_1", "--paused"], "is for `hookwright webhooks create`"],
    [["webhooks", "create", "wh_1"], "unexpected argument"],
    [
      ["webhooks", "create", "--url", "https://example.com/", "--events", "*", "--header", "secret"],
      "--header must be NAME: VALUE",
    ],
    [
      ["webhooks", "create", "--url=https://example.com/", "--events=*", "--header=A: 1", "--header=A: 2"],
      "--header: A is given twice.",
    ],
    [["webhooks", "create", "--events", "*"], "--url is missing"],
    [["webhooks", "create", "--url", "https://example.com/"], "--events is missing"],
    [["webhooks", "--url", "https://example.com/"], "is for `hookwright webhooks create`"],
    [["webhooks", "remove"], 'unknown action "remove"'],
    [["issues", "close", "iss_1"], "The actions are: acknowledge, ignore, reopen."],
    [["issues", "ignore"], "ISSUE is missing"],
    [["issues", "ignore", "iss_1", "--ignored"], "--ignored is for the list"],
    [["deliveries", "--issue", "iss_1", "--follow"], "--issue cannot be used with --follow"],
  ])("%j is wrong usage", async (commandLine, message) => {
    const { code, complained } = await run(commandLine);
    expect(code).toBe(2);
    expect(complained).toContain(message);
  });
});
