import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { BootstrapError } from "./bootstrap-error.mjs";
import { projectCacheFolder } from "./cache-folder.mjs";
import { fingerprintFiles } from "./fingerprint.mjs";
import { isNetworkProblem } from "./install-tool.mjs";
import { PINNED_PNPM } from "./pinned.mjs";
import { runCommand } from "./run-command.mjs";
import { readStamp, removeStamp, writeStamp } from "./stamp.mjs";
import { readWorkspace, runtimeNeeds } from "./workspace.mjs";

/** Has nothing changed since the last good install? @param {string} root */
export function isInstalled(root) {
  return hasEveryFolder(root) && readStamp(stampFile(root)) === fingerprint(root);
}

/**
 * @param {{ root: string, pnpm: string, env: NodeJS.ProcessEnv, progress: import("./progress.mjs").Progress }} options
 */
export async function installDependencies({ root, pnpm, env, progress }) {
  await progress.step("dependencies", async () => {
    removeStamp(stampFile(root));
    const before = fingerprint(root);
    // tsup is a development dependency, and a host that sets NODE_ENV=production wants the server built as well.
    const { NODE_ENV: _ignored, ...installEnv } = env;
    const flags = [
      "--frozen-lockfile",
      "--reporter=append-only",
      "--config.confirmModulesPurge=false",
      // As for npm: short waits between its tries.
      "--config.fetch-retry-mintimeout=1000",
      "--config.fetch-retry-maxtimeout=10000",
    ];
    const result = await runCommand(pnpm, ["install", ...flags], { cwd: root, env: installEnv });
    if (result.code !== 0) throw explain(result.output.trim());
    writeStamp(stampFile(root), before);
    const added = [...result.output.matchAll(/added (\d+)/g)].pop()?.[1];
    return added && added !== "0" ? `${added} packages` : "";
  });
}

/** @param {string} output */
function explain(output) {
  if (
    /OUTDATED_LOCKFILE|frozen[- ]lockfile.*(?:not up to date|outdated)|lockfile.*(?:not up to date|out of date)/i.test(
      output,
    )
  ) {
    return new BootstrapError(
      `pnpm-lock.yaml does not match a package.json. Run \`npx -y pnpm@${PINNED_PNPM} install\`, commit the lockfile, and run the command again.`,
      { output },
    );
  }
  if (isNetworkProblem(output)) {
    return new BootstrapError(
      "The dependencies could not be fetched: the npm registry cannot be reached. Check the network, a proxy, and `npm config get registry`, then run the command again.",
      { output },
    );
  }
  return new BootstrapError(
    "The dependencies could not be installed. pnpm's own words follow; once that is mended, run the command again.",
    { output },
  );
}

/** @param {string} root */
function fingerprint(root) {
  const manifests = [root, ...readWorkspace(root).map(({ folder }) => folder)].map((folder) =>
    path.join(folder, "package.json"),
  );
  const files = [path.join(root, "pnpm-lock.yaml"), path.join(root, "pnpm-workspace.yaml"), ...manifests];
  return fingerprintFiles(files, { root, extra: [process.platform, process.arch] });
}

/** @param {string} root */
function hasEveryFolder(root) {
  const folders = readWorkspace(root).filter(({ manifest }) => runtimeNeeds(manifest).length > 0);
  return [root, ...folders.map(({ folder }) => folder)].every((folder) =>
    existsSync(path.join(folder, "node_modules")),
  );
}

/** @param {string} root */
function stampFile(root) {
  return path.join(projectCacheFolder(root), "install.json");
}
