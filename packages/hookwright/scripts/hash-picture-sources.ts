import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../../..");

/** What the pictures show: the console, with this account, and how they are taken. */
const sources = [
  "packages/console/site/console/**/*.{css,ts,tsx}",
  "packages/hookwright/scripts/{seeded-account,take-screenshots}.ts",
];

/** `npm run screenshots` writes the hash of the sources to this file. */
export const hashFile = path.join(root, "docs/images/console.sha256");

/** SHA-256 of the sources of the pictures, in hex. */
export function hashPictureSources(): string {
  return hashSources(
    globSync(sources, { cwd: root }).map((file) => ({
      file: file.replaceAll(path.sep, "/"),
      text: readFileSync(path.join(root, file), "utf8"),
    })),
  );
}

/** SHA-256 in hex. The order of the files and their line endings do not matter, because they depend on the system. */
export function hashSources(files: readonly { readonly file: string; readonly text: string }[]): string {
  const hash = createHash("sha256");
  for (const { file, text } of files.toSorted((a, b) => (a.file < b.file ? -1 : 1)))
    hash.update(`${file}\n${text.replaceAll("\r\n", "\n")}\n`);
  return hash.digest("hex");
}
