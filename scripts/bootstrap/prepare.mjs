import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { ScriptError } from "./errors.mjs";
import { isAlive, run } from "./processes.mjs";
import { note, step } from "./progress.mjs";
import { ensureNode, ensurePnpm, PINNED_PNPM } from "./tools.mjs";
import { PROJECT_CACHE, readWorkspace, ROOT } from "./workspace.mjs";

/** Folders and files that a build does not read. */
const NOT_SOURCES = /^\.|^(?:node_modules|dist|test|bench|coverage)$|\.md$|\.bundled_[^/]*\.mjs$/;

/** What was installed and built, by a hash of the sources. */
const STATE = path.join(PROJECT_CACHE, "state.json");

/**
 * `javascript` is what running needs. `full` adds the type declarations, which take most of the time.
 *
 * @typedef {"javascript" | "full"} BuildKind
 * @typedef {{ installed?: string, built?: Record<string, { hash: string, kind: BuildKind, at: number }> }} State
 */

/**
 * Makes the programs of this clone runnable: fetches Node and pnpm if needed, installs the dependencies, builds the packages.
 * If nothing has changed it only reads files, so it also works offline.
 *
 * @param {{ build?: BuildKind, withPnpm?: boolean }} [options]
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv }>} The Node to use, and an environment whose path has Node, the tools, and pnpm if asked for.
 */
export async function prepare({ build, withPnpm = false } = {}) {
  const isReady = () => isInstalled() && (build === undefined || listStale(build).length === 0);
  const needsPnpm = withPnpm || !isReady();
  const [node, pnpm] = await Promise.all([ensureNode(), needsPnpm ? ensurePnpm() : undefined]);
  const folders = [path.dirname(node), path.join(ROOT, "node_modules", ".bin")];
  const env = withPath(process.env, pnpm === undefined ? folders : [path.dirname(pnpm), ...folders]);
  if (isReady()) return { node, env };

  await withLock(path.join(PROJECT_CACHE, "lock"), async () => {
    if (!isInstalled()) await step("dependencies", () => install(env));
    const stale = build === undefined ? [] : listStale(build);
    if (build !== undefined && stale.length > 0)
      await step(`build of ${stale.length} packages`, () => buildPackages(stale, build, env));
  });
  return { node, env };
}

/** @param {NodeJS.ProcessEnv} env */
async function install(env) {
  const hash = hashOfManifests();
  writeState({});
  // NODE_ENV=production would leave out the tools of the build.
  const { NODE_ENV: _, ...rest } = env;
  const flags = ["--frozen-lockfile", "--reporter=append-only", "--config.confirmModulesPurge=false"];
  const retries = ["--config.fetch-retry-mintimeout=1000", "--config.fetch-retry-maxtimeout=10000"];
  const result = await run("pnpm", ["install", ...flags, ...retries], { env: rest, capture: true });
  if (result.code !== 0)
    throw new ScriptError(
      /OUTDATED_LOCKFILE/.test(result.output)
        ? `pnpm-lock.yaml does not match a package.json. Run \`npx -y pnpm@${PINNED_PNPM} install\`, commit the lockfile, and run the command again.`
        : "The dependencies could not be installed: see above for pnpm's reason. Check the network, a proxy, and `npm config get registry`, then run the command again.",
      result,
    );
  writeState({ installed: hash });
}

/** @param {readonly string[]} names @param {BuildKind} kind @param {NodeJS.ProcessEnv} env */
async function buildPackages(names, kind, env) {
  const hashes = hashPackages();
  const filters = names.flatMap((name) => ["--filter", name]);
  const result = await run("pnpm", [...filters, "run", "build"], {
    env: kind === "javascript" ? { ...env, HOOKWRIGHT_BUILD_JS: "1" } : env,
    capture: true,
  });
  if (result.code !== 0) throw new ScriptError("The packages could not be built.", result);
  const state = readState();
  const built = { ...state.built };
  for (const { name, folder } of listBuilt())
    if (names.includes(name)) built[name] = { hash: hashes.get(name) ?? "", kind, at: modifiedAt(folder) };
  writeState({ ...state, built });
}

/**
 * The packages to build: their sources or those of a dependency have changed, or something else has written their `dist`.
 *
 * @param {BuildKind} kind
 */
function listStale(kind) {
  const { built = {} } = readState();
  const hashes = hashPackages();
  return listBuilt()
    .filter(({ name, folder }) => {
      const last = built[name];
      if (last === undefined || last.hash !== hashes.get(name)) return true;
      return last.at !== modifiedAt(folder) || (kind === "full" && last.kind !== "full");
    })
    .map(({ name }) => name);
}

function listBuilt() {
  return readWorkspace().filter(({ manifest }) => manifest.scripts?.["build"] !== undefined);
}

/** A hash for each package of its sources and those of the packages that it needs. */
function hashPackages() {
  const workspace = readWorkspace();
  const shared = ["tsconfig.base.json", "tsconfig.json", "tsconfig.build.json", "pnpm-lock.yaml"];
  const own = new Map(workspace.map(({ name, folder }) => [name, hashFiles(shared, listSources(folder))]));
  return new Map(
    workspace.map(({ name }) => {
      const needed = new Set([name]);
      for (const each of needed) {
        const manifest = workspace.find((candidate) => candidate.name === each)?.manifest;
        for (const key of Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies }))
          if (own.has(key)) needed.add(key);
      }
      return [name, [...needed].map((each) => own.get(each)).join()];
    }),
  );
}

/** Contents, not times: git sets new times at every checkout. @param {readonly string[][]} files */
function hashFiles(...files) {
  const hash = createHash("sha1");
  for (const file of files.flat()) hash.update(`${file}\0`).update(readFileSync(path.resolve(ROOT, file)));
  return hash.digest("hex");
}

/** @param {string} folder @returns {string[]} */
function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.test(name))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? listSources(file) : [file];
    });
}

function isInstalled() {
  return readState().installed === hashOfManifests();
}

function hashOfManifests() {
  const manifests = readWorkspace().map(({ folder }) => path.join(folder, "package.json"));
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".pnpmfile.cjs"];
  return `${process.platform}-${process.arch} ${hashFiles(files, manifests)}`;
}

/** When files of `dist` were last added or removed, which every build does. @param {string} folder */
function modifiedAt(folder) {
  return statSync(path.join(folder, "dist"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @returns {State} */
function readState() {
  try {
    return JSON.parse(readFileSync(STATE, "utf8"));
  } catch {
    return {};
  }
}

/** @param {State} state */
function writeState(state) {
  mkdirSync(PROJECT_CACHE, { recursive: true });
  writeFileSync(STATE, JSON.stringify(state));
}

/**
 * Runs `work` while no other process holds the lock file.
 *
 * @param {string} file
 * @param {() => Promise<void>} work
 */
export async function withLock(file, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  for (let waits = 0; !acquire(file); waits += 1) {
    const owner = readOwner(file);
    const isStale = owner === undefined ? waits > 50 : !isAlive(owner);
    if (isStale) rmSync(file, { force: true });
    else if (waits === 0) note(`· waiting for process ${owner}, which installs or builds (${file})`);
    await delay(100);
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function acquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/** The process that holds the lock. An empty file is one that is being written. @param {string} file */
function readOwner(file) {
  try {
    return Number(readFileSync(file, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

/** @param {NodeJS.ProcessEnv} env @param {readonly string[]} folders */
function withPath(env, folders) {
  // Windows spells it `Path`.
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  return { ...env, [key]: [...folders, env[key]].join(path.delimiter) };
}
