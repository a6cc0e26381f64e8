import { existsSync } from "node:fs";
import path from "node:path";

/**
 * How to call npm: the one that runs us, else the one beside this Node, else whatever the path offers.
 * Its registry, proxy and credentials are the user's own, since npm reads them itself.
 *
 * @param {{ env: NodeJS.ProcessEnv, execPath: string, platform: string }} options
 * @returns {{ command: string, args: string[], shell: boolean }}
 */
export function findNpm({ env, execPath, platform }) {
  const folder = path.dirname(execPath);
  const candidates = [
    env["npm_execpath"] ?? "",
    path.join(folder, "node_modules", "npm", "bin", "npm-cli.js"),
    path.join(folder, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  const script = candidates.find((file) => path.basename(file) === "npm-cli.js" && existsSync(file));
  if (script) return { command: execPath, args: [script], shell: false };
  // npm is a .cmd file on Windows, which only a shell can start.
  return { command: "npm", args: [], shell: platform === "win32" };
}
