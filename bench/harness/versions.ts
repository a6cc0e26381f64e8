import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cacheFolders } from "../../scripts/bootstrap/tools.mjs";

/** The folder of this clone, with a slash at its end. */
export const thisVersion = new URL("../../", import.meta.url);
const root = fileURLToPath(thisVersion);

/** @param name default: the last release tag, or where this branch left main. @throws Error if there is none */
export function resolveCommit(name: string | undefined): string {
  const defaults = [
    ["describe", "--tags", "--abbrev=0"],
    ["merge-base", "HEAD", "origin/main"],
    ["rev-parse", "HEAD~1"],
  ];
  const head = git("rev-parse", "--short=12", "HEAD");
  for (const candidate of name === undefined ? defaults : [["rev-parse", `${name}^{commit}`]]) {
    try {
      const commit = git("rev-parse", "--short=12", `${git(...candidate)}^{commit}`);
      if (name !== undefined || commit !== head) return commit;
    } catch {
      // Without tags, or without a remote.
    }
  }
  throw new Error(`There is no commit ${name ?? "to compare with. Name one"}.`);
}

/**
 * Builds a commit in a folder that is kept, with the bench programs of this version. So both versions are measured in the same way.
 *
 * @throws Error if its benches are not in `bench/`
 */
export async function openVersion(commit: string): Promise<URL> {
  // Not in `node_modules`: Node runs no TypeScript there.
  const folder = join(cacheFolders(process.env)[0], "compare", commit);
  if (!existsSync(folder)) checkOut(commit, folder);
  if (!existsSync(join(folder, "bench/package.json")))
    throw new Error(`${commit} has no folder bench/. Choose a commit that has.`);
  copyPrograms(folder);
  // Builds what running needs, and no declarations.
  execFileSync(process.execPath, ["scripts/run.mjs", "start", "--version"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return pathToFileURL(`${folder}/`);
}

function checkOut(commit: string, folder: string): void {
  const anHourAgo = Date.now() - 3_600_000;
  // Those of killed runs. A checkout takes seconds.
  for (const old of globSync(`${folder}.*`)) if (statSync(old).mtimeMs < anHourAgo) remove(old);
  const incomplete = `${folder}.${process.pid}`;
  const archive = join(incomplete, "sources.tar");
  mkdirSync(incomplete, { recursive: true });
  try {
    git("archive", "--format=tar", `--output=${archive}`, commit);
    execFileSync("tar", ["-xf", archive, "-C", incomplete]);
    rmSync(archive);
    renameSync(incomplete, folder);
  } catch (error) {
    // Another comparison was first.
    if (!existsSync(folder)) throw error;
  } finally {
    remove(incomplete);
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Files that are the same are not written, because another comparison may be running. */
function copyPrograms(folder: string): void {
  for (const file of globSync("bench/{*,{harness,programs,rivals}/*}.ts", { cwd: root })) {
    const [from, to] = [join(root, file), join(folder, file)];
    if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) continue;
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
  }
}

function git(...args: readonly string[]): string {
  const stdio = ["ignore", "pipe", "ignore"] as const;
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: [...stdio] }).trim();
}
