// Each command meets a full disk and a closed pipe.
// @module-tag long

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../../packages/storage/test/support/free-port.ts";
import { call, createAccount, hostToken } from "./support/host-api.ts";
import { makeFolder } from "./support/make-folder.ts";
import { compileCache, startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

const programs = {
  "the command line": fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url)),
  "the server": fileURLToPath(new URL("../dist/main.js", import.meta.url)),
};
const secret = "a secret of the tests with 32 characters";

let folder = "";
let removeFolder: () => Promise<void>;
let server: ServerProcess;
let apiKey = "";

beforeAll(async () => {
  folder = await makeFolder((remove) => {
    removeFolder = remove;
  });
  server = await startServer({
    env: {
      HOOKWRIGHT_STORAGE: `file:${join(folder, "data")}`,
      HOOKWRIGHT_SECRET: secret,
      HOOKWRIGHT_HOST_TOKEN: hostToken,
    },
  });
  ({ apiKey } = await createAccount(server));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await removeFolder();
});

/** Runs a line of a shell in which `hookwright` is one of the programs. */
async function runShell(main: string, line: string, env: Readonly<Record<string, string>> = {}) {
  const script = `hookwright() { "${process.execPath}" "${main}" "$@"; }\n${line}`;
  const child = spawn("bash", ["-c", script], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_COMPILE_CACHE: compileCache,
      XDG_CONFIG_HOME: join(folder, "config"),
      HOOKWRIGHT_SERVER: server.url,
      HOOKWRIGHT_API_KEY: apiKey,
      HOOKWRIGHT_SECRET: secret,
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise((resolve) => void child.once("close", resolve));
  return { code, stderr };
}

/** How many listeners the account may still have, of ten. */
async function countFreeListeners(): Promise<number> {
  const ids: string[] = [];
  for (;;) {
    const response = await fetch(`${server.url}/developer/v1/listeners`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: "{}",
    });
    const { data } = JSON.parse(await response.text());
    if (response.status !== 201) break;
    ids.push(data.id);
  }
  for (const id of ids)
    await call(server, `/developer/v1/listeners/${id}`, { method: "DELETE", token: apiKey });
  return ids.length;
}

describe.runIf(existsSync("/dev/full"))("an output on a full disk", () => {
  const real = [
    "--help",
    "login --key $HOOKWRIGHT_API_KEY",
    "logout",
    "listen",
    "listen --json",
    "trigger order.created",
    "deliveries --json",
    "completion bash",
  ];
  // Its commands for integrators are those of the command line. The help of each command is printed in the same way.
  const ofServer = [
    "--help",
    "listen",
    "serve --help",
    "check-storage --json --storage file:data",
    "doctor --json --probe-url https://127.0.0.1:1",
    "export --account acc_1 --storage file:data",
    "migrate --print --storage postgres://user:pw@127.0.0.1:1/none",
  ];

  it.each([
    ["the command line", [...real, "listen --help"]],
    ["the server", ofServer],
  ] as const)("ends every command of %s with 1 and a reason", { timeout: 120_000 }, async (name, lines) => {
    // All in one shell, because starting one for each takes longer.
    const script = lines.map((line) => `hookwright ${line} >/dev/full; echo "= $? ${line}" >&2`).join("\n");
    const { stderr } = await runShell(programs[name], script);
    const results = [...stderr.matchAll(/^([^]*?)^= (\d+) (.*)$/gmu)].map(([, said = "", code, line]) => ({
      line,
      code,
      why: /ENOSPC/u.test(said),
    }));
    expect(results).toEqual(
      lines.map((line) => ({ line: line.replace("$HOOKWRIGHT_API_KEY", apiKey), code: "1", why: true })),
    );
  });

  it("does not stop a server, whose log is then lost", async () => {
    const port = await findFreePort();
    const main = programs["the server"];
    const child = spawn("bash", ["-c", `exec "${process.execPath}" "${main}" serve >/dev/full`], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", PORT: String(port), HOOKWRIGHT_STORAGE: "memory" },
      stdio: "ignore",
    });
    const exited = new Promise((resolve) => void child.once("close", resolve));
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady).toBe(true);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  it.each(Object.entries(programs))("that becomes full ends a command of %s with 1", async (_, main) => {
    // The limit has the effect of a full disk: the system writes a part.
    const line = `hookwright completion zsh >whole; (ulimit -f 1; hookwright completion zsh >part)`;
    const { code, stderr } = await runShell(main, line);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("standard output cannot be written: EFBIG"),
    });
    const [whole, part] = [await readFile(join(folder, "whole")), await stat(join(folder, "part"))];
    expect(part.size).toBeGreaterThan(0);
    expect(part.size).toBeLessThan(whole.length);
  });
});

describe.each(Object.entries(programs))("a closed pipe behind %s", (name, main) => {
  // Elsewhere the next line finds it.
  it.runIf(process.platform === "linux")("ends what follows, although nothing happens", async () => {
    // The commands of both are the same.
    const ofServer = ["listen | head -n 1"];
    const ofCommandLine = [...ofServer, "listen --json | true", "deliveries --follow | true"];
    const lines = name === "the server" ? ofServer : ofCommandLine;
    for (const line of lines)
      expect(await runShell(main, `set -o pipefail; hookwright ${line}`)).toEqual({ code: 0, stderr: "" });
    expect(await countFreeListeners()).toBe(10);
  });

  it("ends listen, if it is a socket, as programs in Node have it", async () => {
    const child = spawn(process.execPath, [main, "listen"], {
      env: { HOOKWRIGHT_SERVER: server.url, HOOKWRIGHT_API_KEY: apiKey },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const exited = new Promise((resolve) => void child.once("exit", resolve));
    child.stdout.once("data", () => child.stdout.destroy());
    expect(await exited).toBe(0);
    expect(await countFreeListeners()).toBe(10);
  });

  it("does not interrupt a command that ends by itself", async () => {
    const line = "set -o pipefail; hookwright login --key $HOOKWRIGHT_API_KEY | true; hookwright logout >&2";
    const { code, stderr } = await runShell(main, line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Logged out of") });
  });
});
