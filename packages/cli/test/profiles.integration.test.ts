import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "../src/run-cli.ts";
import { apiKey, openDeveloperServer } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { createTestProgram } from "./support/test-program.ts";

let servers: readonly [DeveloperServer, DeveloperServer];
let folder: string;
beforeAll(async () => {
  servers = [await openDeveloperServer(), await openDeveloperServer()];
  folder = await mkdtemp(path.join(tmpdir(), "hookwright-cli-"));
});
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function run(commandLine: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = createTestProgram({ environment: { XDG_CONFIG_HOME: folder, ...env } });
  const code = await runCli({ ...program, commandLine });
  return { code, printed: program.printed.join("\n"), complained: program.complained.join("\n") };
}

it("profiles keep the logins of several servers apart", async () => {
  const [{ url: one }, { url: two }] = servers;
  const login = ["login", "--key", apiKey, "--server"];
  expect((await run(["profiles"])).printed).toBe("There is no login. Run `hookwright login`.");
  expect((await run([...login, one])).code).toBe(0);
  expect((await run([...login, two, "--profile", "staging"])).code).toBe(0);
  const serverOf = async (options: readonly string[], env?: Readonly<Record<string, string>>) =>
    JSON.parse((await run(["whoami", "--json", ...options], env)).printed).server;
  expect(await serverOf([])).toBe(one);
  expect(await serverOf(["--profile", "staging"])).toBe(two);
  expect(await serverOf([], { HOOKWRIGHT_PROFILE: "staging" })).toBe(two);
  expect(await serverOf(["--profile", "default"], { HOOKWRIGHT_PROFILE: "staging" })).toBe(one);
  // The option is meant more than variables that are set for all.
  const variables = { HOOKWRIGHT_SERVER: one, HOOKWRIGHT_API_KEY: "hwk_other" };
  expect(await serverOf(["--profile", "staging"], variables)).toBe(two);
  const { printed } = await run(["profiles", "--json"], { HOOKWRIGHT_PROFILE: "staging" });
  expect(JSON.parse(printed)).toEqual([
    { profile: "default", server: one, account: "Bakery", credential: "key", current: false },
    { profile: "staging", server: two, account: "Bakery", credential: "key", current: true },
  ]);
  expect((await run(["logout", "--profile", "staging"])).code).toBe(0);
  expect(await serverOf([])).toBe(one);
  expect((await run(["whoami", "--server", two, "--profile", "staging"])).complained).toMatch(
    new RegExp(`run \`hookwright login --server ${two} --profile staging\`\\.$`, "u"),
  );
  expect((await run(["whoami", "--profile", "stagin"])).complained).toMatch(
    /--profile stagin`\. Other profiles: staging\.$/u,
  );
});

it.each(["../x", "a".repeat(41), "a b"])("the profile %j is refused", async (name) => {
  for (const result of [
    await run(["whoami", "--profile", name]),
    await run(["whoami"], { HOOKWRIGHT_PROFILE: name }),
  ])
    expect(result).toMatchObject({ code: 2, complained: expect.stringContaining("1 to 40 letters") });
  expect(existsSync(path.join(folder, "x"))).toBe(false);
});
