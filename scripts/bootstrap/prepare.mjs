import path from "node:path";
import process from "node:process";
import { buildPackages, findStalePackages } from "./build-packages.mjs";
import { projectCacheFolder } from "./cache-folder.mjs";
import { installDependencies, isInstalled } from "./install-dependencies.mjs";
import { createProgress } from "./progress.mjs";
import { withRunLock } from "./run-lock.mjs";
import { ensureNode, ensurePnpm } from "./toolchain.mjs";
import { buildNeeds, collectDependencies, readWorkspace } from "./workspace.mjs";

/**
 * Brings a clone to where its programs run: Node, pnpm, dependencies, and the packages that are asked for. What is there already
 * costs a look; nothing is fetched then, so it works offline.
 *
 * @param {{
 *   root: string,
 *   build?: { of: "all" | string, kind: import("./build-packages.mjs").BuildKind },
 *   withPnpm?: boolean,
 *   env?: NodeJS.ProcessEnv,
 *   progress?: import("./progress.mjs").Progress,
 * }} options `build.of`: a package (and all it needs) by its name; `withPnpm`: the program to be started calls pnpm.
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv }>} The Node to start programs with, and the environment in which `node`, `pnpm` and the tools are found.
 */
export async function prepare({
  root,
  build,
  withPnpm = false,
  env = process.env,
  progress = createProgress(),
}) {
  const needsPnpm = withPnpm || !isInstalled(root);
  const [node, pnpm] = await Promise.all([
    ensureNode({ root, env, progress }),
    needsPnpm ? ensurePnpm({ root, env, progress }) : undefined,
  ]);
  const toolEnv = withPath(env, [
    path.dirname(node),
    ...(pnpm ? [path.dirname(pnpm)] : []),
    path.join(root, "node_modules", ".bin"),
  ]);

  const isReady = () =>
    isInstalled(root) && (build === undefined || findStale(root, build).stale.length === 0);
  if (isReady()) return { node, env: toolEnv };

  await withRunLock(
    path.join(projectCacheFolder(root), "lock"),
    async () => {
      if (!isInstalled(root))
        await installDependencies({
          root,
          pnpm: pnpm ?? (await ensurePnpm({ root, env, progress })),
          env: toolEnv,
          progress,
        });
      if (build === undefined) return;
      const { workspace, stale } = findStale(root, build);
      if (stale.length === 0) return;
      const count = stale.length === 1 ? "1 package" : `${stale.length} packages`;
      await progress.step(`build of ${count}`, () =>
        buildPackages({ root, workspace, stale, kind: build.kind, env: toolEnv }),
      );
    },
    { onWait: (owner) => progress.note(`waiting for process ${owner}, which is preparing this clone`) },
  );
  return { node, env: toolEnv };
}

/**
 * @param {string} root
 * @param {{ of: "all" | string, kind: import("./build-packages.mjs").BuildKind }} build
 */
function findStale(root, { of, kind }) {
  const workspace = readWorkspace(root);
  const wanted = of === "all" ? workspace : collectDependencies(workspace, of, buildNeeds);
  return { workspace, stale: findStalePackages({ root, workspace, wanted, kind }) };
}

/** @param {NodeJS.ProcessEnv} env @param {readonly string[]} folders */
function withPath(env, folders) {
  // Windows spells it `Path`; two spellings in one environment would leave the choice to chance.
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const { [key]: before = "", ...others } = env;
  return { ...others, PATH: [...folders, before].join(path.delimiter) };
}
