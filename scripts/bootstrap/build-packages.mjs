import os from "node:os";
import path from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";
import { readBuildStamp, removeBuildStamp, writeBuildStamp } from "./build-stamp.mjs";
import { fingerprintFiles, listSources } from "./fingerprint.mjs";
import { listEntryPoints } from "./entry-points.mjs";
import { runCommand } from "./run-command.mjs";
import { buildNeeds, collectDependencies, runtimeNeeds } from "./workspace.mjs";

/**
 * `javascript` is what running needs; `full` adds the type declarations, which take most of the time.
 *
 * @typedef {"javascript" | "full"} BuildKind
 * @typedef {import("./workspace.mjs").WorkspacePackage} WorkspacePackage
 */

/**
 * The packages whose `dist` is missing, or was built from other sources than those of now, its own or those of a package it needs.
 *
 * @param {{ root: string, workspace: readonly WorkspacePackage[], wanted: readonly WorkspacePackage[], kind: BuildKind }} options
 */
export function findStalePackages({ root, workspace, wanted, kind }) {
  const fingerprints = fingerprintPackages(root, workspace);
  return wanted.filter((candidate) => {
    if (candidate.manifest.scripts?.["build"] === undefined) return false;
    const stamp = readBuildStamp(root, candidate);
    return (
      stamp === undefined ||
      stamp.fingerprint !== fingerprints.get(candidate.name) ||
      (kind === "full" && stamp.kind !== "full")
    );
  });
}

/**
 * Runs the `build` script of each package once those it needs are done, as many at once as there are cores.
 *
 * @param {{
 *   root: string,
 *   workspace: readonly WorkspacePackage[],
 *   stale: readonly WorkspacePackage[],
 *   kind: BuildKind,
 *   env: NodeJS.ProcessEnv,
 *   concurrency?: number,
 * }} options
 */
export async function buildPackages({
  root,
  workspace,
  stale,
  kind,
  env,
  concurrency = Math.max(2, os.cpus().length),
}) {
  const fingerprints = fingerprintPackages(root, workspace);
  const waiting = new Map(stale.map((built) => [built.name, built]));
  const unfinished = new Set(waiting.keys());
  /** @type {Set<Promise<void>>} */
  const active = new Set();

  const build = async (/** @type {WorkspacePackage} */ built) => {
    await buildOne({ root, built, kind, env, fingerprint: fingerprints.get(built.name) ?? "" });
    unfinished.delete(built.name);
  };

  try {
    while (unfinished.size > 0) {
      for (const built of waiting.values()) {
        if (active.size >= concurrency) break;
        if (precedingNeeds(workspace, built).some((needed) => unfinished.has(needed))) continue;
        waiting.delete(built.name);
        const work = build(built).finally(() => active.delete(work));
        active.add(work);
      }
      if (active.size === 0) {
        throw new BootstrapError(
          `These packages need each other, so none can be built first: ${[...unfinished].join(", ")}.`,
        );
      }
      await Promise.race(active);
    }
  } finally {
    await Promise.allSettled(active);
  }
}

/**
 * The script is started without pnpm, which would look at the whole workspace before each.
 *
 * @param {{ root: string, built: WorkspacePackage, kind: BuildKind, env: NodeJS.ProcessEnv, fingerprint: string }} options
 */
async function buildOne({ root, built, kind, env, fingerprint }) {
  const { name, folder, manifest } = built;
  removeBuildStamp(root, built);
  const folders = [
    path.join(folder, "node_modules", ".bin"),
    path.join(root, "node_modules", ".bin"),
    env["PATH"],
  ];
  const buildEnv = {
    ...env,
    PATH: folders.join(path.delimiter),
    ...(kind === "javascript" ? { HOOKWRIGHT_BUILD_JS: "1" } : {}),
  };
  const result = await runCommand(manifest.scripts?.["build"] ?? "", [], {
    cwd: folder,
    env: buildEnv,
    shell: true,
  });
  if (result.code !== 0)
    throw new BootstrapError(`${name} could not be built.`, { output: result.output.trim() });
  const missing = writeBuildStamp(root, built, { fingerprint, kind, files: listEntryPoints(manifest, kind) });
  if (missing.length === 0) return;
  throw new BootstrapError(
    `${name} was built, but its package.json names files that the build did not write: ${missing.join(", ")}.`,
    {
      output: result.output.trim(),
    },
  );
}

/**
 * What must be built before: everything it needs to run, and development dependencies (bundled, or read for their types)
 * unless those need it in turn, as a test kit does.
 *
 * @param {readonly WorkspacePackage[]} workspace
 * @param {WorkspacePackage} built
 */
function precedingNeeds(workspace, { name, manifest }) {
  const development = Object.keys(manifest.devDependencies ?? {}).filter(
    (needed) => !collectDependencies(workspace, needed, buildNeeds).some((inner) => inner.name === name),
  );
  return [...runtimeNeeds(manifest), ...development];
}

/** @param {string} root @param {readonly WorkspacePackage[]} workspace */
function fingerprintPackages(root, workspace) {
  const shared = fingerprintFiles(
    ["tsconfig.json", "tsconfig.build.json", "pnpm-lock.yaml"].map((file) => path.join(root, file)),
    { root },
  );
  const own = new Map(
    workspace.map(({ name, folder }) => [
      name,
      fingerprintFiles(listSources(folder), { root, extra: [shared] }),
    ]),
  );
  return new Map(
    workspace.map(({ name }) => {
      const needed = collectDependencies(workspace, name, buildNeeds).map(
        (dependency) => own.get(dependency.name) ?? "",
      );
      return [name, fingerprintFiles([], { root, extra: needed })];
    }),
  );
}
