import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { describeFailure } from "../bootstrap/errors.mjs";
import { withLock } from "../bootstrap/prepare.mjs";
import { ensurePnpm, isSupportedNode, PINNED_PNPM } from "../bootstrap/tools.mjs";
import { ROOT } from "../bootstrap/workspace.mjs";
import { openForgedRegistry } from "./support/forged-registry.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("the Node that runs the scripts", () => {
  it.each(["22.19.0", "22.30.1", "24.11.0", "26.0.0", "26.10.0"])("%s is used", (version) => {
    expect(isSupportedNode(version)).toBe(true);
  });
  it.each(["18.20.8", "20.20.2", "22.18.0", "23.11.0", "24.10.0", "25.9.0", "27.0.0"])(
    "%s is not supported",
    (version) => {
      expect(isSupportedNode(version)).toBe(false);
    },
  );

  it("may be a Node 18: the scripts use nothing that came later", () => {
    const newer =
      /\b(?:globSync|withResolvers|groupBy|styleText|to(?:Sorted|Reversed|Spliced)|hasOwn|import\.meta\.(?:dir|file)name|AbortSignal\.any)\b|^\s*(?:await )?using /mu;
    const scripts = globSync("scripts/**/*.mjs", { cwd: ROOT });
    expect(scripts.length).toBeGreaterThan(10);
    expect(scripts.filter((file) => newer.test(readFileSync(path.join(ROOT, file), "utf8")))).toEqual([]);
  });
});

describe("pnpm", () => {
  const target = `${process.platform}-${process.arch}`;
  const folder = `pnpm-${PINNED_PNPM}-${target}/node_modules/@pnpm/exe.${target}`;
  const program = process.platform === "win32" ? "pnpm.exe" : "pnpm";

  it.each([
    ["XDG_CACHE_HOME", "hookwright"],
    ["HOME", ".cache/hookwright"],
  ])("is taken from the cache in %s", async (variable, cache) => {
    const root = temporaryFolder({ onTestFinished });
    const file = path.join(root, cache, folder, program);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "");
    expect(await ensurePnpm({ env: { [variable]: root } })).toBe(file);
  });

  it("is installed in the cache, whatever npm is configured to do", async (context) => {
    const root = temporaryFolder(context);
    writeFileSync(path.join(root, "npm"), '#!/bin/sh\necho "$@"\nexit 1', { mode: 0o755 });
    const failed = ensurePnpm({ env: { XDG_CACHE_HOME: root, PATH: `${root}:${process.env["PATH"]}` } });
    await expect(failed).rejects.toMatchObject({
      message: expect.stringContaining("Check the network, a proxy, and `npm config get registry`"),
      output: expect.stringMatching(/^ci --prefix .*--global=false/u),
    });
  });

  it("is refused before it runs if the registry has another package than the lock file", async (context) => {
    const root = temporaryFolder(context);
    const marker = path.join(root, "ran");
    const registry = await openForgedRegistry({ folder: root, marker });
    onTestFinished(() => registry[Symbol.asyncDispose]());
    const forged = ensurePnpm({
      env: {
        PATH: process.env["PATH"],
        XDG_CACHE_HOME: root,
        npm_config_cache: path.join(root, "npm"),
        npm_config_registry: registry.url,
      },
    });
    await expect(forged).rejects.toMatchObject({ output: expect.stringContaining("EINTEGRITY") });
    expect(registry.requests()).toBeGreaterThan(0);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("a failed run", () => {
  const refused = (code: string, syscall: string, file?: string) =>
    Object.assign(new Error("as the system says it"), { code, syscall, path: file });

  it.each([
    ["EACCES", "mkdir", "/clone/node_modules"],
    ["EROFS", "mkdtemp", "/clone/node_modules"],
    ["ENOSPC", "write", undefined],
  ])("says in words why a file could not be written: %s", (code, syscall, file) => {
    const text = describeFailure(refused(code, syscall, file));
    expect(text).toContain(`${file ?? "A file"} cannot be written: `);
    expect(text).toContain(`run the command again. (${code})`);
    expect(text).not.toContain("    at ");
  });

  it("shows the stack of any other error", () => {
    expect(describeFailure(refused("EACCES", "spawn /bin/tool", "/bin/tool"))).toContain("    at ");
    expect(describeFailure(new TypeError("a bug"))).toContain("    at ");
  });
});

describe("of two runs that install or build", () => {
  it("the second says that it waits for the first", async (context) => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => printed.mockRestore());
    const file = path.join(temporaryFolder(context), "lock");
    const order: string[] = [];
    const { promise: firstMayEnd, resolve: letFirstEnd } = Promise.withResolvers<void>();
    const first = withLock(file, async () => {
      await firstMayEnd;
      order.push("first");
    });
    const second = withLock(file, async () => void order.push("second"));
    letFirstEnd();
    await Promise.all([first, second]);
    expect(order).toEqual(["first", "second"]);
    expect(printed.mock.calls).toEqual([[expect.stringContaining(`waiting for process ${process.pid}`)]]);
  });

  it("the second goes ahead if the first was killed", async (context) => {
    const file = path.join(temporaryFolder(context), "lock");
    const { pid } = spawnSync(process.execPath, ["--eval", ""]);
    writeFileSync(file, String(pid));
    let owner = "";
    await withLock(file, async () => void (owner = readFileSync(file, "utf8")));
    expect(owner).toBe(String(process.pid));
  });
});

it("a second start needs neither npm nor pnpm nor a network", { timeout: 120_000 }, (context) => {
  const help = (env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, ["scripts/run.mjs", "start", "--help"], { cwd: ROOT, encoding: "utf8", env });
  expect(help(process.env)).toMatchObject({ status: 0 });
  const env = { XDG_CACHE_HOME: temporaryFolder(context), HOME: "/nowhere", PATH: "" };
  expect(help(env)).toMatchObject({ status: 0, stdout: expect.stringContaining("serve"), stderr: "" });
});
