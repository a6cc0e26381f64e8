import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What tsup writes beside its configuration for a moment, or for good when it is killed: no source of anything. */
export const FLEETING = /\.bundled_[^/]*\.mjs$/;

/** What a build writes, or never reads. */
const NOT_SOURCES = new Set(["node_modules", "dist", "test", "bench", "coverage"]);

/**
 * A hash over names and contents. Contents, because git sets new times at every checkout.
 *
 * @param {readonly string[]} files
 * @param {{ root: string, extra?: readonly string[] }} options
 */
export function fingerprintFiles(files, { root, extra = [] }) {
  const hash = createHash("sha256");
  for (const file of files) {
    if (!existsSync(file)) continue;
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  for (const text of extra) hash.update(`${text}\0`);
  return hash.digest("hex");
}

/** The files a package is built from. @param {string} folder @returns {string[]} */
export function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(
      ({ name }) =>
        !NOT_SOURCES.has(name) && !name.startsWith(".") && !name.endsWith(".md") && !FLEETING.test(name),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? listSources(file) : [file];
    });
}
