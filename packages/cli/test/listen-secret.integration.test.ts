import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "../src/run-cli.ts";
import { apiKey, openDeveloperServer, signingSecret } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { createTestProgram } from "./support/test-program.ts";

let server: DeveloperServer;
let folder: string;
beforeAll(async () => {
  server = await openDeveloperServer();
  folder = await mkdtemp(path.join(tmpdir(), "hookwright-cli-"));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function start(options: readonly string[], home = folder) {
  const program = createTestProgram({
    environment: { HOOKWRIGHT_SERVER: server.url, HOOKWRIGHT_API_KEY: apiKey, XDG_CONFIG_HOME: home },
  });
  return { program, ended: runCli({ ...program, commandLine: ["listen", ...options] }) };
}

/** Listens until the stream is open. Returns the secret that the server got, and what was printed. */
async function listen(options: readonly string[], home?: string) {
  const { program, ended } = start(options, home);
  await expect.poll(() => server.streams).toBe(1);
  program.send("SIGINT");
  expect(await ended).toBe(0);
  await expect.poll(() => server.streams).toBe(0);
  const { signing_secret: secret } = Object(server.requested("POST", /listeners$/u).at(-1)?.json);
  return { secret, printed: program.printed.join("\n"), complained: program.complained.join("\n") };
}

it("an account has one secret on a machine, which is printed only on demand", async () => {
  const { program, ended } = start(["--print-secret"]);
  expect(await ended).toBe(0);
  const [secret = ""] = program.printed;
  expect(secret).toMatch(/^whsec_[\w-]{43}$/u);
  for (const options of [[], ["--json"]]) {
    const listened = await listen(options);
    expect(listened.secret).toBe(secret);
    expect(listened.printed).not.toContain(secret);
  }
  const { mode } = await stat(path.join(folder, "hookwright", "listen-secrets.json"));
  expect(mode & 0o777).toBe(0o600);
  // Another account of the same server has another one.
  server.overrides.set("GET /v1/me", {
    status: 200,
    body: { success: true, data: { id: "acc_2" } },
    once: true,
  });
  expect((await listen([])).secret).not.toBe(secret);
  expect((await listen([])).secret).toBe(secret);
});

it("--secret is used in place of it, and not printed", async () => {
  const { secret, printed } = await listen(["--secret", signingSecret]);
  expect(secret).toBe(signingSecret);
  expect(printed).not.toContain("secret");
});

it("a machine that cannot keep a secret prints that of the listener", async () => {
  const { secret, printed, complained } = await listen([], "/dev/null");
  expect(secret).toBeUndefined();
  expect(printed).toContain(`Signing secret: ${signingSecret}`);
  expect(complained).toContain("the signing secret cannot be kept");
});

it("a damaged file of secrets is reported, and stays as it is", async () => {
  const home = await mkdtemp(path.join(folder, "damaged-"));
  const file = path.join(home, "hookwright", "listen-secrets.json");
  await mkdir(path.dirname(file));
  await writeFile(file, '{"https://hooks.example.com": {"acc_1": "whsec_of_');
  const problem = `the signing secret cannot be kept: ${file} is damaged. Delete it to get a new secret.`;
  const { secret, printed, complained } = await listen([], home);
  expect(secret).toBeUndefined();
  expect(printed).toContain(`Signing secret: ${signingSecret}`);
  expect(complained).toContain(`hookwright: warning: ${problem} It ends with the command.`);
  const { program, ended } = start(["--print-secret"], home);
  expect([await ended, program.printed, program.complained]).toEqual([2, [], [`hookwright: ${problem}`]]);
  expect(await readFile(file, "utf8")).toContain("whsec_of_");
});

it.each([
  [["--header", "X-Tenant: 7"], "--header is about forwarded requests"],
  [["--skip-verify"], "--skip-verify is about forwarded requests"],
  [["--print-secret", "--secret", "x"], "Leave out --secret"],
  [["--forward", "http://a.test", "--header", "X-Service-Signature: v1=0"], "X-Service-Signature: is set"],
  [["--forward", "http://a.test", "--header", "X-A: 1", "--header", "X-A: 2"], "X-A is given twice"],
  [
    [
      "--forward",
      "http://a.test",
      ...Array.from({ length: 11 }, (_, at) => ["--header", `X-A${at}: 1`]).flat(),
    ],
    "at most 10 entries",
  ],
])("listen refuses %j", async (options, message) => {
  const { program, ended } = start(options);
  expect([await ended, program.complained.join("\n")]).toEqual([2, expect.stringContaining(message)]);
});
