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

/** The environment of a production server: what the test runner sets changes what frameworks do. */
export const inProduction = {
  NODE_ENV: "production",
  CI: undefined,
  TEST: undefined,
  VITEST: undefined,
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
} as const;

/** The app in a folder of its own, with its dependencies from npm's registry and our packages as they are published. */
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
  const [program, ...words] = app.build;
  await runIn(folder, path.join(folder, "node_modules/.bin", program), words);
}

/** An example as the guide shows it, with the changes that the guide names in words. */
async function placeExample(example: string, { instead = {} }: App): Promise<string> {
  const text = await readFile(path.join(embedding, example), "utf8");
  const changes = instead[example] ?? [];
  return changes.reduce((changed, [one, other]) => replaceOnce(changed, one, other), text);
}

function replaceOnce(text: string, one: string, other: string): string {
  if (!text.includes(one)) throw new Error(`an example no longer has the words\n${one}`);
  return text.replace(one, other);
}

/** Runs a program as in production, and throws what it printed if it fails. */
export async function runIn(folder: string, program: string, words: readonly string[]): Promise<void> {
  const env = { ...process.env, ...inProduction };
  try {
    await run(program, words, { cwd: folder, env, timeout: milliseconds });
  } catch (error) {
    const { stdout = "", stderr = "" }: { stdout?: unknown; stderr?: unknown } = Object(error);
    throw new Error(`${program} ${words.join(" ")} failed:\n${String(stdout)}\n${String(stderr)}`, {
      cause: error,
    });
  }
}
