import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ScriptError } from "../bootstrap/errors.mjs";
import { run } from "../bootstrap/processes.mjs";
import { step } from "../bootstrap/progress.mjs";
import { cacheFolders } from "../bootstrap/tools.mjs";
import { readManifest, ROOT } from "../bootstrap/workspace.mjs";
import { readTables } from "./read-tables.mjs";

/** A group, with the settings that keep ten minutes for both versions. Versions with `reference-server/bench` read only the variables of two. */
const GROUPS = /** @type {const} */ ({
  delivery: {
    args: ["--rounds", "1", "--deliveries", "15000"],
    env: { BENCH_ROUNDS: "1", BENCH_DELIVERIES: "15000" },
  },
  api: {
    args: ["--rounds", "1", "--requests", "10000", "--orders", "2000"],
    env: { BENCH_ROUNDS: "1", BENCH_REQUESTS: "10000", BENCH_ORDERS: "2000" },
  },
  scale: {
    args: ["--only", "accounts", "--rounds", "1", "--deliveries", "10000", "--accounts", "10000"],
    env: {},
  },
});

export const usage = `npm run bench -- compare [COMMIT] [--only delivery,api,scale] [--turns N]

Builds a commit in a folder of its own, and measures it and this version in turns with the benches of each.
Prints the medians before and now, their ratio, and its range over the turns. Below 1.00 this version is slower.

  COMMIT      default: the last release tag, or where this branch left main
  --only A,B  groups (default delivery,api)
  --turns N   measurements of each version (default 3)`;

/** @param {readonly string[]} args */
export async function compare(args) {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`${usage}\n`);
    return { code: 0 };
  }
  const { commit, groups, turns } = readOptions(args);
  const before = await checkOut(commit);
  for (const folder of [before, ROOT])
    await step(`build of ${folder === ROOT ? "this version" : commit}`, () =>
      // Builds what it needs to run, and no declarations.
      runIn(folder, ["start", "--version"]),
    );
  /** @type {Map<string, { before: number[], now: number[] }>} */
  const figures = new Map();
  for (let turn = 1; turn <= turns; turn++)
    for (const group of groups)
      // Every second turn is in reverse, because a machine may be slower at first.
      for (const version of turn % 2 === 1 ? ["before", "now"] : ["now", "before"])
        await step(`turn ${turn} of ${turns}: ${group}, ${version}`, async () => {
          const output = await measure(group, version === "now" ? ROOT : before);
          for (const { table, row, column, value } of readTables(output)) {
            const name = `${table}\t${row}\t${column}`;
            const entry = figures.get(name) ?? { before: [], now: [] };
            entry[version === "now" ? "now" : "before"].push(value);
            figures.set(name, entry);
          }
        });
  process.stdout.write(`${render(figures, commit)}\n`);
  return { code: 0 };
}

/** @param {readonly string[]} args */
function readOptions(args) {
  const { values, positionals } = parse(args);
  const known = Object.keys(GROUPS);
  const groups = values.only.split(",").map((name) => {
    const group = known.find((each) => each === name);
    if (group === undefined)
      throw new ScriptError(`--only: "${name}" is no group. Choose from ${known.join(", ")}.`);
    return /** @type {keyof typeof GROUPS} */ (group);
  });
  const turns = Number(values.turns);
  if (!Number.isInteger(turns) || turns < 1)
    throw new ScriptError("--turns must be a whole number of at least 1.");
  return { commit: resolveCommit(positionals[0]), groups, turns };
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        only: { type: "string", default: "delivery,api" },
        turns: { type: "string", default: "3" },
      },
    });
  } catch (error) {
    throw new ScriptError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

/** @param {string | undefined} name */
function resolveCommit(name) {
  const candidates =
    name === undefined
      ? [
          ["describe", "--tags", "--abbrev=0"],
          ["merge-base", "HEAD", "origin/main"],
          ["rev-parse", "HEAD~1"],
        ]
      : [["rev-parse", "--verify", "--quiet", `${name}^{commit}`]];
  for (const candidate of candidates) {
    try {
      const found = git(candidate);
      const commit = git(["rev-parse", "--short=12", `${found}^{commit}`]);
      if (name !== undefined || commit !== git(["rev-parse", "--short=12", "HEAD"])) return commit;
    } catch {
      // Without tags, or without a remote.
    }
  }
  throw new ScriptError(`There is no commit ${name ?? "to compare with. Name one"}.`);
}

/** Returns a folder with the sources of a commit. It is kept, so the next comparison need not build it again. @param {string} commit */
async function checkOut(commit) {
  // Not in `node_modules`: Node runs no TypeScript there.
  const folder = path.join(cacheFolders(process.env)[0], "compare", commit);
  if (existsSync(folder)) return folder;
  const incomplete = `${folder}.incomplete`;
  rmSync(incomplete, { recursive: true, force: true });
  mkdirSync(incomplete, { recursive: true });
  const archive = path.join(incomplete, "sources.tar");
  git(["archive", "--format=tar", `--output=${archive}`, commit]);
  execFileSync("tar", ["-xf", archive, "-C", incomplete]);
  rmSync(archive);
  renameSync(incomplete, folder);
  return folder;
}

/** @param {keyof typeof GROUPS} group @param {string} cwd */
function measure(group, cwd) {
  const { args, env } = GROUPS[group];
  return runIn(cwd, ["bench", group, ...args], env);
}

/** Runs a script of a version: `node` and a file of that version. @param {string} cwd @param {readonly string[]} command @param {NodeJS.ProcessEnv} env */
async function runIn(cwd, [name = "", ...args], env = {}) {
  const [, ...script] = readManifest(cwd).scripts?.[name]?.split(" ") ?? [];
  const options = { cwd, env: { ...process.env, ...env }, capture: true };
  const result = await run(process.execPath, [...script, ...args], options);
  if (result.code !== 0) throw new ScriptError(`npm run ${name} failed in ${cwd}:\n${result.output}`);
  return result.output;
}

/** @param {Map<string, { before: number[], now: number[] }>} figures @param {string} commit */
function render(figures, commit) {
  const header = ["", "", commit, "now", "ratio", "range"];
  const rows = [...figures].flatMap(([name, { before, now }]) => {
    const [table = "", row = "", column = ""] = name.split("\t");
    if (before.length === 0 || before.length !== now.length) return [];
    // A ratio below 1 is slower: less work in a second, or more CPU time for it.
    const ratios = before.map((each, turn) => {
      const ratio = (now[turn] ?? Number.NaN) / each;
      return column === "per second" ? ratio : 1 / ratio;
    });
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    const shown = [median(before), median(now)].map((figure) => Math.round(figure).toLocaleString("en"));
    return [[`${table}: ${row}`, column, ...shown, median(ratios).toFixed(2), range]];
  });
  const widths = header.map((name, index) =>
    Math.max(name.length, ...rows.map((cells) => cells[index]?.length ?? 0)),
  );
  return [header, ...rows]
    .map((cells) =>
      cells
        .map((cell, index) =>
          index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {readonly number[]} figures */
function median(figures) {
  const sorted = [...figures].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** @param {readonly string[]} args */
function git(args) {
  return execFileSync("git", args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}
