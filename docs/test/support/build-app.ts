import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { App } from "./apps.ts";

const run = promisify(execFile);
const embedding = fileURLToPath(new URL("../../examples/embedding/", import.meta.url));
const frameworks = fileURLToPath(new URL("../apps/", import.meta.url));
const milliseconds = 180_000;

export const hostToken = "host-token-of-the-shop";

/** The environment of a production server. Variables of the test runner would change the behaviour of frameworks. */
export const inProduction = {
  NODE_ENV: "production",
  CI: undefined,
  TEST: undefined,
  VITEST: undefined,
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
} as const;

/** Builds the app in its own folder, with our packed packages and other dependencies from npm. */
export async function buildApp(app: App, folder: string, packed: readonly string[]): Promise<void> {
  await cp(path.join(frameworks, app.framework), folder, { recursive: true });
  for (const [example, place] of Object.entries(app.places)) {
    const file = path.join(folder, place);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, await placeExample(example, app));
  }
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  await runIn(folder, npm, ["install", ...flags, ...packed]);
  const [program, ...args] = app.build;
  await runIn(folder, path.join(folder, "node_modules/.bin", program), args);
}

/** Reads an example and applies the changes that the guide describes. */
async function placeExample(example: string, { instead = {} }: App): Promise<string> {
  const text = await readFile(path.join(embedding, example), "utf8");
  const changes = instead[example] ?? [];
  return changes.reduce((changed, [one, other]) => replaceOnce(changed, one, other), text);
}

function replaceOnce(text: string, one: string, other: string): string {
  if (!text.includes(one)) throw new Error(`an example no longer contains\n${one}`);
  return text.replace(one, other);
}

/** Runs a program in the production environment. Throws an error with its output if it fails. */
export async function runIn(folder: string, program: string, args: readonly string[]): Promise<void> {
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
