import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runNode } from "../bootstrap/processes.mjs";

export const REPORTER = fileURLToPath(new URL("count-by-project.mjs", import.meta.url));

/** Node would keep the compiled code of started programs in the temporary folder. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL("../../node_modules/.cache/compile", import.meta.url));

/**
 * Runs all tests of `npm test`. Their temporary files are in a folder that is removed. What the tests left there is reported.
 *
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
export async function runTests(node, env) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hw-"));
  try {
    // The PostgreSQL of the tests runs as another user if we are root.
    await chmod(folder, 0o755);
    const reporters = ["--reporter=minimal", `--reporter=${REPORTER}`];
    const args = ["node_modules/vitest/vitest.mjs", "run", "--silent=passed-only", "--tags-filter=!long"];
    const { code, output } = await runNode(node, [...args, ...reporters], {
      env: { ...env, TMPDIR: folder, NODE_COMPILE_CACHE },
      capture: true,
    });
    const left = await readdir(folder);
    const line = left.length === 0 ? "" : `\n· left in the temporary folder: ${left.join(", ")}\n`;
    return { code, output: output + line };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
