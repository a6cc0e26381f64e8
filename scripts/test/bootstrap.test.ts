import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { openCacheFolder } from "../bootstrap/cache-folder.mjs";
import { Interrupted } from "../bootstrap/children.mjs";
import { describeFailure } from "../bootstrap/describe-failure.mjs";
import { listEntryPoints } from "../bootstrap/entry-points.mjs";
import { fingerprintFiles, listSources } from "../bootstrap/fingerprint.mjs";
import { isSupportedNode } from "../bootstrap/node-version.mjs";
import { findNpm } from "../bootstrap/npm-command.mjs";
import { createProgress } from "../bootstrap/progress.mjs";
import { PINNED_PNPM } from "../bootstrap/pinned.mjs";
import { withRunLock } from "../bootstrap/run-lock.mjs";
import { ensurePnpm } from "../bootstrap/toolchain.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("the Node that runs the scripts", () => {
  it.each(["22.19.0", "22.30.1", "24.11.0", "26.0.0", "26.10.0"])("%s is kept", (version) => {
    expect(isSupportedNode(version)).toBe(true);
  });
  it.each(["18.20.8", "20.20.2", "22.18.0", "23.11.0", "24.10.0", "25.9.0", "27.0.0"])(
    "%s is replaced by the pinned one",
    (version) => {
      expect(isSupportedNode(version)).toBe(false);
    },
  );
});

describe("the cache", () => {
  it("is where XDG says, if that is a whole path", (context) => {
    const root = temporaryFolder(context);
    const env = { XDG_CACHE_HOME: path.join(root, "xdg"), HOME: path.join(root, "home") };
    expect(openCacheFolder({ root, env, platform: "linux" })).toBe(path.join(root, "xdg", "hookwright"));
    expect(openCacheFolder({ root, env: { ...env, XDG_CACHE_HOME: "xdg" }, platform: "linux" })).toBe(
      path.join(root, "home", ".cache", "hookwright"),
    );
  });

  it("is inside the clone where the home cannot be written", (context) => {
    const root = temporaryFolder(context);
    const home = path.join(root, "home");
    writeFileSync(home, "a file is no folder");
    expect(openCacheFolder({ root, env: { HOME: home }, platform: "linux" })).toBe(
      path.join(root, "node_modules", ".cache", "hookwright"),
    );
  });

  it("is looked for wherever it may be, before anything is fetched", async (context) => {
    const root = temporaryFolder(context);
    const target = `${process.platform}-${process.arch}`;
    const tool = path.join("hookwright", `pnpm-${PINNED_PNPM}-${target}`, "node_modules", "pnpm");
    const binary = process.platform === "win32" ? "pnpm.exe" : "pnpm";
    const pnpm = path.join(root, "node_modules", ".cache", tool, binary);
    mkdirSync(path.dirname(pnpm), { recursive: true });
    writeFileSync(pnpm, "", { mode: 0o755 });
    const progress = { step: () => Promise.reject(new Error("something was fetched")), note() {} };
    expect(await ensurePnpm({ root, env: { HOME: path.join(root, "home") }, progress })).toBe(pnpm);
  });
});

it("npm is told where to install, whatever it is set to", async (context) => {
  const root = temporaryFolder(context);
  const npm = path.join(root, "npm-cli.js");
  writeFileSync(npm, 'console.log(process.argv.slice(2).join(" ")); process.exit(1)');
  const env = { ...process.env, HOME: root, XDG_CACHE_HOME: "", npm_execpath: npm };
  const progress = createProgress({ stream: { write() {} } });
  const failed = ensurePnpm({ root, env, progress });
  await expect(failed).rejects.toMatchObject({ output: expect.stringContaining("--global=false") });
});

describe("a run that failed", () => {
  const refused = (code: string, syscall: string, file?: string) =>
    Object.assign(new Error("as the system says it"), { code, syscall, path: file });

  it.each([
    ["EACCES", "mkdir", "/clone/node_modules"],
    ["EROFS", "mkdtemp", "/clone/node_modules"],
    ["ENOSPC", "write", undefined],
  ])("tells in words what stood against writing: %s", (code, syscall, file) => {
    const told = describeFailure(refused(code, syscall, file));
    expect(told).toContain(`${file ?? "A file"} cannot be written: `);
    expect(told).toContain(`run the command again. (${code})`);
    expect(told).not.toContain("    at ");
  });

  it("shows the stack of any other error", () => {
    expect(describeFailure(refused("EACCES", "spawn /bin/tool", "/bin/tool"))).toContain("    at ");
    expect(describeFailure(new TypeError("a fault of ours"))).toContain("    at ");
  });
});

it("npm is the one that runs us, else the one beside this Node, else that on the path", (context) => {
  const root = temporaryFolder(context);
  const execPath = path.join(root, "bin", "node");
  const npm = (env: Record<string, string>) => findNpm({ env, execPath, platform: "linux" });
  expect(npm({})).toMatchObject({ command: "npm", args: [] });
  const beside = path.join(root, "lib", "node_modules", "npm", "bin", "npm-cli.js");
  mkdirSync(path.dirname(beside), { recursive: true });
  writeFileSync(beside, "");
  expect(npm({})).toMatchObject({ command: execPath, args: [beside] });
  // pnpm and yarn set the variable as well, to themselves.
  expect(npm({ npm_execpath: "/usr/lib/pnpm.cjs" })).toMatchObject({ args: [beside] });
});

it("a fingerprint follows names and contents, and neither times nor what is no source", (context) => {
  const folder = temporaryFolder(context);
  const take = () => fingerprintFiles(listSources(folder), { root: folder });
  writeFileSync(path.join(folder, "a.ts"), "1");
  const before = take();
  utimesSync(path.join(folder, "a.ts"), 1, 1);
  mkdirSync(path.join(folder, "test"));
  writeFileSync(path.join(folder, "test", "b.ts"), "2");
  writeFileSync(path.join(folder, "README.md"), "3");
  writeFileSync(path.join(folder, "tsup.config.bundled_8y8n6nfqq9t.mjs"), "4");
  expect(take()).toBe(before);
  writeFileSync(path.join(folder, "c.ts"), "");
  expect(take()).not.toBe(before);
});

it("a build must have written every file that the manifest names, declarations only when it is a full one", () => {
  const manifest = {
    bin: { run: "./dist/main.js" },
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./data.json": "./data.json",
    },
  };
  expect(listEntryPoints(manifest, "javascript")).toEqual(["./dist/main.js", "./dist/index.js"]);
  expect(listEntryPoints(manifest, "full")).toContain("./dist/index.d.ts");
});

describe("of two runs in one clone", () => {
  it("the second waits for the first, and is told for whom", async (context) => {
    const file = path.join(temporaryFolder(context), "lock");
    const order: string[] = [];
    const owners: number[] = [];
    const { promise: firstMayEnd, resolve: letFirstEnd } = Promise.withResolvers<void>();
    const first = withRunLock(file, async () => {
      await firstMayEnd;
      order.push("first");
    });
    const second = withRunLock(file, async () => void order.push("second"), {
      onWait: (owner) => {
        owners.push(owner);
        letFirstEnd();
      },
    });
    await Promise.all([first, second]);
    expect([order, owners, existsSync(file)]).toEqual([["first", "second"], [process.pid], false]);
  });

  it("the second goes ahead when the first was killed", async (context) => {
    const file = path.join(temporaryFolder(context), "lock");
    const child = spawn(process.execPath, ["--eval", ""]);
    await once(child, "exit");
    writeFileSync(file, String(child.pid));
    expect(await withRunLock(file, async () => readFileSync(file, "utf8"))).toBe(String(process.pid));
  });

  it("the second leaves what a third has just put in the place of the killed one's", async (context) => {
    const file = path.join(temporaryFolder(context), "lock");
    const child = spawn(process.execPath, ["--eval", ""]);
    await once(child, "exit");
    writeFileSync(file, String(child.pid));
    // The third is at it.
    writeFileSync(`${file}.clearing`, String(process.pid));
    const found: unknown[] = [];
    await withRunLock(file, async () => void found.push("run"), {
      onWait: () => {
        found.push(readFileSync(file, "utf8"));
        rmSync(`${file}.clearing`);
      },
    });
    expect(found).toEqual([String(child.pid), "run"]);
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  it("a first that was stopped for long leaves the second, which took over meanwhile, its lock", async (context) => {
    const file = path.join(temporaryFolder(context), "lock");
    await withRunLock(file, async () => writeFileSync(file, String(process.ppid)));
    expect(readFileSync(file, "utf8")).toBe(String(process.ppid));
  });

  it("who dies while clearing away a lock holds up nobody", async (context) => {
    const file = path.join(temporaryFolder(context), "lock");
    const child = spawn(process.execPath, ["--eval", ""]);
    await once(child, "exit");
    for (const left of [file, `${file}.clearing`]) writeFileSync(left, String(child.pid));
    expect(await withRunLock(file, async () => readFileSync(file, "utf8"))).toBe(String(process.pid));
  });
});

it("progress is a line for each piece of work on anything but a terminal", async () => {
  let printed = "";
  let now = 0;
  const progress = createProgress({ stream: { write: (text) => (printed += text) }, now: () => now });
  await progress.step("dependencies", async () => {
    now = 65_400;
    return "515 packages";
  });
  await progress.step("build", () => Promise.reject(new Error("no"))).catch(() => {});
  await progress.step("tests", () => Promise.reject(new Interrupted("SIGINT"))).catch(() => {});
  progress.note("a word");
  expect(printed.split("\n")).toEqual([
    `✓ ${"dependencies, 515 packages".padEnd(46)} 1 min 05 s`,
    `✗ ${"build, failed".padEnd(46)}   0.0 s`,
    `· ${"tests, stopped".padEnd(46)}   0.0 s`,
    "· a word",
    "",
  ]);
});
