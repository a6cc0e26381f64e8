import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { afterAll, describe, expect, it } from "vitest";
import { runCli } from "../src/cli.ts";
import { removeWhenStopped } from "../src/commands/remove-when-stopped.ts";
import { call, createAccount, hostToken, publishOrder } from "./support/host-api.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";
import { runToEnd, startServer } from "./support/server-process.ts";
import { createTestProgram } from "./support/test-program.ts";

const root = await makeFolder(afterAll);

const env = { HOOKWRIGHT_HOST_TOKEN: hostToken };

describe("hookwright backup", () => {
  it("copies a data directory beside its server, and another server can serve the copy", async () => {
    const data = join(root, "data");
    const copy = join(root, "backups", "monday");
    await using server = await startServer({ args: ["serve", "--storage", `file:${data}`], env });
    const { apiKey } = await createAccount(server);
    await publishOrder(server, "ord_before");
    const backup = await runToEnd({ args: ["backup", "--storage", `file:${data}`, "--to", copy] });
    expect(backup).toMatchObject({ code: 0, stdout: "" });
    expect(backup.stderr).toMatch(/^copied (?:\d+\.\d M|\d+ k)B: .+ → .+monday\n$/u);
    await publishOrder(server, "ord_after");

    expect((await readdir(copy)).toSorted()).toEqual(["secret", "store-1.mdb"]);
    expect((await stat(copy)).mode & 0o777).toBe(0o700);
    expect((await stat(join(copy, "secret"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(copy, "secret"), "utf8")).toBe(await readFile(join(data, "secret"), "utf8"));

    await using restored = await startServer({ args: ["serve", "--storage", `file:${copy}`], env });
    expect(await call(restored, "/v1/orders/ord_before", { token: apiKey })).toMatchObject({
      id: "ord_before",
    });
    const response = await fetch(`${restored.url}/v1/orders/ord_after`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(response.status).toBe(404);
    // The original and the copy continue independently.
    await publishOrder(restored, "ord_in_the_copy");
    expect(await call(server, "/v1/orders/ord_after", { token: apiKey })).toMatchObject({ id: "ord_after" });
  });

  it("overwrites nothing, and refuses a directory that is not a data directory", async () => {
    const empty = join(root, "empty");
    const taken = join(root, "taken");
    for (const directory of [empty, taken]) await mkdir(directory);
    await writeFile(join(taken, "file"), "mine");
    const data = join(root, "data2");
    await (await openFilesystemStore({ directory: data })).close();
    const refusals: readonly (readonly [readonly string[], number, string])[] = [
      [["--storage", `file:${data}`, "--to", taken], 1, "overwrites nothing"],
      [["--storage", `file:${empty}`, "--to", join(root, "new")], 1, "contains no store"],
      [["--storage", `file:${join(root, "none")}`, "--to", join(root, "new")], 1, "none does not exist."],
      [["--storage", "redis://127.0.0.1:1", "--to", join(root, "new")], 2, "To back up Redis"],
      [["--storage", "memory", "--to", join(root, "new")], 2, "must be file:DIR. Data in memory"],
      [["--storage", `file:${data}`, "--to", join(taken, "file", "new")], 1, "another file has its name"],
      [["--storage", `file:${data}`, "--to", "/proc/new"], 1, "use a directory on a local disk"],
      [["--storage", `file:${data}`], 2, "--to is missing"],
    ];
    for (const [args, code, reason] of refusals) {
      const ended = await runCommand(["backup", ...args]);
      expect([args, ended]).toMatchObject([args, { code, printed: "" }]);
      expect(ended.complained).toContain(reason);
      expect(ended.complained).not.toMatch(/^\s+at /mu);
    }
    expect(await readdir(taken)).toEqual(["file"]);
    expect(await readdir(empty)).toEqual([]);
    expect((await readdir(root)).filter((name) => /new|none|^\./u.test(name))).toEqual([]);
  });

  it("leaves nothing behind if a signal stops it", async () => {
    const data = join(root, "data3");
    await (await openFilesystemStore({ directory: data })).close();
    const program = createTestProgram({
      commandLine: ["backup", `--storage=file:${data}`, `--to=${join(root, "stopped")}`],
    });
    const drafts = async () => (await readdir(root)).filter((name) => name.includes("stopped"));
    async function stopOnceItIsBegun(): Promise<void> {
      while ((await drafts()).length === 0) await new Promise((resolve) => setImmediate(resolve));
      program.send("SIGTERM");
    }
    // A real program would have exited by then.
    await Promise.allSettled([runCli(program), stopOnceItIsBegun()]);
    expect(program.exits).toContain(143);
    expect((await drafts()).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it.runIf(existsSync("/proc/self"))("stops even if it cannot remove the copy, and says what remains", () => {
    const program = createTestProgram({});
    // Nobody can remove this directory. On a network file system this happens with an open file.
    removeWhenStopped(program, "/proc/self");
    program.send("SIGTERM");
    expect(program.exits).toEqual([143]);
    expect(program.complained).toEqual([
      expect.stringMatching(/^\/proc\/self could not be removed: E(?:PERM|ACCES)/u),
    ]);
  });

  it.each([
    [[], "--to is missing"],
    [["--storage", "file:/nowhere/at/all"], "--to is missing"],
    [["--storage", "file:/nowhere/at/all"], "the directory /nowhere/at/all does not exist"],
    [["--to", "file:b2"], "Write --to b2"],
    [["--to", "redis://:pw@h/"], '"redis://***@h/" names a storage. Write one.'],
    [["--to", "~/b2"], 'Write "$HOME/b2"'],
    [["--storage", "file:~/data", "--to", "b2"], 'Write "file:$HOME/data"'],
  ])("%j gets exit code 2 and a message that says what to do", async (args, reason) => {
    const refused = await runCommand(["backup", ...args]);
    expect(refused).toMatchObject({ code: 2, complained: expect.stringContaining(reason) });
  });
});
