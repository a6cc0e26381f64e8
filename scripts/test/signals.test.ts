import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, it, type TestContext, vi } from "vitest";
import { ROOT } from "../bootstrap/root.mjs";
import { isAlive } from "../bootstrap/run-lock.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

const support = fileURLToPath(new URL("support", import.meta.url));

// dash and bash exec the last command of `sh -c`, so npm's child is the script itself; other shells stay in between.
const scripts = {
  "a shell that execs": "node launch.mjs patient-server.mjs",
  "a shell that stays": "node launch.mjs patient-server.mjs; exit $?",
};

describe.for(Object.entries(scripts))("a server started through npm, %s", ([, script]) => {
  it.for(["SIGTERM", "SIGKILL"] as const)(
    "is ended in good order by %s to npm",
    { concurrent: true },
    async (signal, context) => {
      const tree = await startTree(context, script);
      process.kill(tree.npm, signal);
      await tree.everythingIsGone();
      expect(tree.told()).toEqual(["SIGTERM", "closed"]);
    },
  );

  it(
    "is ended in good order by Ctrl-C, which every process of the group receives",
    { concurrent: true },
    async (context) => {
      const tree = await startTree(context, script);
      process.kill(-tree.npm, "SIGINT");
      await tree.everythingIsGone();
      expect(tree.told()).toEqual(["SIGINT", "closed"]);
    },
  );

  it.for(["SIGTERM", "SIGINT"] as const)(
    "is ended in good order by %s to the script",
    { concurrent: true },
    async (signal, context) => {
      const tree = await startTree(context, script);
      process.kill(tree.launcher, signal);
      await tree.everythingIsGone();
      expect(tree.told()).toEqual([signal, "closed"]);
    },
  );

  it("is ended in good order when the script is killed outright", { concurrent: true }, async (context) => {
    const tree = await startTree(context, script);
    process.kill(tree.launcher, "SIGKILL");
    await tree.everythingIsGone();
    expect(tree.told()).toEqual(["SIGTERM", "closed"]);
  });

  it("is waited for while it drains", { concurrent: true }, async (context) => {
    const tree = await startTree(context, script, { drainingMs: 700 });
    process.kill(tree.launcher, "SIGTERM");
    expect(await tree.ended).toEqual({ code: 0, signal: null });
    expect(tree.told()).toEqual(["SIGTERM", "closed"]);
  });
});

it.for([
  ["a shell that execs", "launch"],
  ["a shell that stays", "(launch; exit $?)"],
] as const)(
  "a server is not started where npm is dead before the script looks, %s",
  async ([, script], context) => {
    const log = path.join(temporaryFolder(context), "log");
    const launch = `${process.execPath} ${path.join(support, "launch.mjs")} ${path.join(support, "patient-server.mjs")} ${log} 0`;
    // The outer shell in npm's place: it ends while Node is still about to start.
    const npm = spawn("sh", ["-c", `${script.replace("launch", launch)} & echo $!`], {
      detached: true,
      env: { ...process.env, npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    context.onTestFinished(() => killGroup(npm.pid ?? 0));
    let printed = "";
    npm.stdout.on("data", (chunk) => (printed += String(chunk)));
    await vi.waitUntil(() => Number(printed) > 0, { timeout: 10_000 });
    await vi.waitUntil(() => !isAlive(Number(printed)), { timeout: 10_000 });
    expect(existsSync(log)).toBe(false);
  },
);

describe("the end of the program is the end of the script", () => {
  it.for([
    ["its exit code", "process.exit(7)", { code: 7, signal: null }],
    [
      "its signal",
      "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)",
      { code: null, signal: "SIGTERM" },
    ],
  ] as const)("with %s", async ([, source, expected]) => {
    const child = spawn(process.execPath, [path.join(support, "launch.mjs"), "--eval", source]);
    expect(await exitOf(child)).toEqual(expected);
  });
});

it("a check of the packages that is called off leaves no tool running and nothing behind", async (context) => {
  const folder = temporaryFolder(context);
  const tools = path.join(folder, "tools");
  const temporary = path.join(folder, "temporary");
  const log = path.join(folder, "log");
  for (const made of [tools, temporary]) mkdirSync(made);
  writeFileSync(path.join(tools, "pnpm"), `#!/bin/sh\necho $$ > ${log}\nexec sleep 30\n`, { mode: 0o755 });
  const check = spawn(process.execPath, [path.join(ROOT, "scripts", "checks", "packaging.mjs")], {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, TMPDIR: temporary, PATH: `${tools}${path.delimiter}${process.env["PATH"]}` },
  });
  context.onTestFinished(() => killGroup(check.pid ?? 0));
  const toolId = () => (existsSync(log) ? Number(readFileSync(log, "utf8")) : 0);
  await vi.waitUntil(() => toolId() > 0, { timeout: 10_000 });
  context.onTestFinished(() => killGroup(toolId()));
  process.kill(-(check.pid ?? 0), "SIGTERM");
  expect(await exitOf(check)).toEqual({ code: null, signal: "SIGTERM" });
  expect(readdirSync(temporary)).toEqual([]);
  await vi.waitUntil(() => !isAlive(toolId()), { timeout: 10_000 });
});

/** npm, its shell, the script and the server, in a process group of their own. */
async function startTree(context: TestContext, script: string, { drainingMs = 0 } = {}) {
  const folder = temporaryFolder(context);
  const log = path.join(folder, "log");
  const command = script
    .replace("launch.mjs", path.join(support, "launch.mjs"))
    .replace("patient-server.mjs", `${path.join(support, "patient-server.mjs")} ${log} ${drainingMs}`);
  writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({ private: true, scripts: { start: command } }),
  );
  const npm = spawn("npm", ["start"], {
    cwd: folder,
    detached: true,
    stdio: "ignore",
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"]}` },
  });
  context.onTestFinished(() => killGroup(npm.pid ?? 0));
  const ended = exitOf(npm);
  const lines = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  const processOf = (role: string) =>
    Number(
      lines()
        .find((line) => line.startsWith(`${role} `))
        ?.split(" ")[1],
    );
  await vi.waitUntil(() => processOf("server") > 0, { timeout: 15_000 });

  const processes = [npm.pid ?? 0, processOf("launcher"), processOf("server")];
  return {
    npm: npm.pid ?? 0,
    launcher: processOf("launcher"),
    ended,
    told: () => lines().filter((line) => !line.includes(" ")),
    everythingIsGone: () => vi.waitUntil(() => !processes.some(isAlive), { timeout: 10_000 }),
  };
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}

/** Whatever a failed test leaves. */
function killGroup(leader: number) {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Everything has ended, as it should.
  }
}
