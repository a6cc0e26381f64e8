import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, it, type TestContext, vi } from "vitest";
import { isAlive } from "../bootstrap/leash.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

const support = fileURLToPath(new URL("support", import.meta.url));

// Some shells exec the last command of `sh -c`, so npm's child is the script itself. Others stay in between.
const scripts = {
  "a shell that execs": "exec node launch.mjs patient-server.mjs",
  "a shell that stays": "node launch.mjs patient-server.mjs; exit $?",
};

describe.for(Object.entries(scripts))("a server started through npm, %s", ([, script]) => {
  it.for(["SIGTERM", "SIGKILL"] as const)(
    "shuts down cleanly after %s to npm",
    { concurrent: true },
    async (signal, context) => {
      const tree = await startTree(context, script);
      process.kill(tree.npm, signal);
      await tree.everythingIsGone();
      expect(tree.signals()).toEqual(["SIGTERM", "closed"]);
    },
  );

  it(
    "shuts down cleanly after Ctrl-C, which every process of the group receives",
    { concurrent: true },
    async (context) => {
      const tree = await startTree(context, script);
      process.kill(-tree.npm, "SIGINT");
      await tree.everythingIsGone();
      expect(tree.signals()).toEqual(["SIGINT", "closed"]);
    },
  );

  it.for(["SIGTERM", "SIGINT"] as const)(
    "shuts down cleanly after %s to the script",
    { concurrent: true },
    async (signal, context) => {
      const tree = await startTree(context, script);
      process.kill(tree.launcher, signal);
      await tree.everythingIsGone();
      expect(tree.signals()).toEqual([signal, "closed"]);
    },
  );

  it("shuts down cleanly after SIGKILL to the script", { concurrent: true }, async (context) => {
    const tree = await startTree(context, script);
    process.kill(tree.launcher, "SIGKILL");
    await tree.everythingIsGone();
    expect(tree.signals()).toEqual(["SIGTERM", "closed"]);
  });

  it("keeps the script running until it has drained", { concurrent: true }, async (context) => {
    const tree = await startTree(context, script, { drainingMs: 700 });
    process.kill(tree.launcher, "SIGTERM");
    expect(await tree.ended).toEqual({ code: 0, signal: null });
    expect(tree.signals()).toEqual(["SIGTERM", "closed"]);
  });
});

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

/** npm, its shell, the script and the server, in a process group of their own. */
async function startTree(context: TestContext, script: string, { drainingMs = 0 } = {}) {
  const folder = temporaryFolder(context);
  const log = path.join(folder, "log");
  const command = script
    .replace("launch.mjs", `"${path.join(support, "launch.mjs")}"`)
    .replace("patient-server.mjs", `"${path.join(support, "patient-server.mjs")}" "${log}" ${drainingMs}`);
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
  await vi.waitUntil(() => processOf("server") > 0, { timeout: 30_000 });

  const processes = [npm.pid ?? 0, processOf("launcher"), processOf("server")];
  return {
    npm: npm.pid ?? 0,
    launcher: processOf("launcher"),
    ended,
    signals: () => lines().filter((line) => !line.includes(" ")),
    everythingIsGone: () => vi.waitUntil(() => !processes.some(isAlive), { timeout: 30_000 }),
  };
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}

/** Kills the processes that a failed test leaves. */
function killGroup(leader: number) {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All processes have already exited.
  }
}
