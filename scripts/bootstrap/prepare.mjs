import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { ScriptError } from "./errors.mjs";
import { isAlive } from "./leash.mjs";
import { run, runNode } from "./processes.mjs";
import { note, step } from "./progress.mjs";
import { ensureNode, ensurePnpm, PINNED_PNPM } from "./tools.mjs";
import { ONE_CHECKER, PROJECT_CACHE, readWorkspace, ROOT, TSC } from "./workspace.mjs";

/** Folders and files that a build does not read. */
const NOT_SOURCES = /^\.|^(?:node_modules|dist|test|bench|coverage)$|\.md$|\.bundled_[^/]*\.mjs$/;

/** What was installed and built, by a hash of the sources. */
const STATE = path.join(PROJECT_CACHE, "state.json");

/**
 * `javascript` is what running needs. `full` adds the type declarations, which only other programs need.
 *
 * @typedef {"javascript" | "full"} BuildKind
 * @typedef {{ installed?: string, built?: Record<string, { hash: string, kind: BuildKind | undefined }> }} State
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
  if (!isReady())
    await withLock(path.join(PROJECT_CACHE, "lock"), async () => {
      if (!isInstalled()) await step("dependencies", () => install(env));
      if (build === undefined) return;
      const changed = listStale("javascript");
      if (changed.length > 0)
        await step(`build of ${changed.length} packages`, () => buildPackages(changed, env));
      const undeclared = listStale(build);
      if (undeclared.length > 0) await step("declarations", () => buildDeclarations(undeclared, node, env));
    });
  return { node, env };
}

/** @param {NodeJS.ProcessEnv} env */
async function install(env) {
  const hash = hashManifests();
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

/** @param {readonly string[]} names @param {NodeJS.ProcessEnv} env */
async function buildPackages(names, env) {
  const hashes = hashPackages();
  const args = [...names.flatMap((name) => ["--filter", name]), "run", "build"];
  const result = await run("pnpm", args, { env, capture: true });
  if (result.code !== 0) throw new ScriptError("The packages could not be built.", result);
  writeBuilt(names, "javascript", hashes);
}

/** Type errors fail it. @param {readonly string[]} names @param {string} node @param {NodeJS.ProcessEnv} env */
async function buildDeclarations(names, node, env) {
  const hashes = hashPackages();
  for (const args of [
    [TSC, "--build", ...ONE_CHECKER, ...listProjects(names)],
    ["scripts/packing/bundle-declarations.mjs", ...names],
  ]) {
    const result = await runNode(node, args, { env, capture: true });
    if (result.code !== 0) throw new ScriptError("The declarations could not be built.", result);
  }
  writeBuilt(names, "full", hashes);
}

/** The configurations of the compiler. @param {readonly string[]} names */
function listProjects(names) {
  const folders = readWorkspace().flatMap(({ name, folder }) => (names.includes(name) ? [folder] : []));
  return folders.flatMap((folder) =>
    readdirSync(folder).flatMap((file) => (/^tsconfig\..*json$/.test(file) ? [path.join(folder, file)] : [])),
  );
}

/** @param {readonly string[]} names @param {BuildKind} kind @param {ReadonlyMap<string, string>} hashes */
function writeBuilt(names, kind, hashes) {
  const state = readState();
  const built = names.map((name) => [name, { hash: hashes.get(name) ?? "", kind }]);
  writeState({ ...state, built: { ...state.built, ...Object.fromEntries(built) } });
}

/** The packages to build, because their sources or those of a dependency have changed. @param {BuildKind} kind */
function listStale(kind) {
  const { built = {} } = readState();
  const hashes = hashPackages();
  return readWorkspace()
    .filter(({ manifest }) => manifest.scripts?.["build"] !== undefined)
    .filter(({ name, folder }) => {
      const last = built[name];
      const isBuilt = last?.hash === hashes.get(name) && existsSync(path.join(folder, "dist"));
      return !isBuilt || (kind === "full" && last?.kind !== "full");
    })
    .map(({ name }) => name);
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
  return readState().installed === hashManifests();
}

function hashManifests() {
  const manifests = readWorkspace().map(({ folder }) => path.join(folder, "package.json"));
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"];
  return `${process.platform}-${process.arch} ${hashFiles(files, manifests)}`;
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
  for (let waits = 0; ; waits += 1) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    const owner = readOwner(file);
    if (owner === 0 ? waits > 50 : !isAlive(owner)) rmSync(file, { force: true });
    else if (waits === 0) note(`· waiting for process ${owner}, which installs or builds (${file})`);
    await delay(100);
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** The process that holds the lock. 0 if it is just being written or was just removed. @param {string} file */
function readOwner(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return 0;
    throw error;
  }
}

/** @param {NodeJS.ProcessEnv} env @param {readonly string[]} folders */
function withPath(env, folders) {
  // Windows spells it `Path`.
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  return { ...env, [key]: [...folders, env[key]].join(path.delimiter) };
}
