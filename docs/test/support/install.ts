import { execFile } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { prepare } from "../../../scripts/bootstrap/prepare.mjs";
import { readWorkspace } from "../../../scripts/bootstrap/workspace.mjs";
import { collectDependencies } from "../../../scripts/packing/collect-dependencies.mjs";
import { packPackages } from "../../../scripts/packing/pack-packages.mjs";
import { makeFolder } from "./make-folder.ts";

const run = promisify(execFile);
const milliseconds = 180_000;

/** Whether tests may install from npm. They take minutes, so they run only on request. */
export const mayInstall = process.env["HOOKWRIGHT_TEST_APPS"] === "true";

/** The environment of a production server. Variables of the test runner would change the behaviour of frameworks. */
export const inProduction = {
  NODE_ENV: "production",
  CI: undefined,
  TEST: undefined,
  VITEST: undefined,
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
} as const;

/** Builds and packs one of our packages with all of ours that it needs, and returns the paths of the tarballs. */
export async function buildAndPack(name: string): Promise<readonly string[]> {
  // With types, because `next build` checks types.
  await prepare({ build: "full" });
  const workspace = collectDependencies(readWorkspace(), name);
  return [...(await packPackages({ workspace, folder: await makeFolder() })).values()];
}

export function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  return runNpm(folder, ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages]);
}

export function runNpm(folder: string, args: readonly string[]): Promise<void> {
  return runIn(folder, process.platform === "win32" ? "npm.cmd" : "npm", ["--loglevel=error", ...args]);
}

/** Runs a program that npm has installed in the folder. */
export function runInstalled(folder: string, program: string, args: readonly string[]): Promise<void> {
  return runIn(folder, path.join(folder, "node_modules/.bin", program), args);
}

/** Runs a program in the production environment. Throws an error with its output if it fails. */
async function runIn(folder: string, program: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, ...inProduction };
  try {
    await run(program, args, { cwd: folder, env, timeout: milliseconds });
  } catch (error) {
    const { stdout = "", stderr = "" }: { stdout?: unknown; stderr?: unknown } = Object(error);
    throw new Error(`${program} ${args.join(" ")} failed:\n${String(stdout)}\n${String(stderr)}`, {
      cause: error,
    });
  }
}
