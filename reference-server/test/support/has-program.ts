import { spawnSync } from "node:child_process";

/** Whether a program is on the path. With `CI=true` a missing one is an error, printed in one line. */
export function hasProgram(name: string, debianPackage = name): boolean {
  // Some exit with an error for `--version`, such as nginx.
  if (spawnSync(name, ["--version"]).error === undefined) return true;
  const line = `Some suites need ${name}: apt-get install ${debianPackage}, or the like.`;
  if (process.env["CI"] === "true") throw new Error(line);
  process.stderr.write(`${line} They did not run.\n`);
  return false;
}
