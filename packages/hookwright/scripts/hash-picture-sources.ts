import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../../..");

/** What the pictures show: the console, with this account. */
const sources = ["packages/console/site/console/**/*.*", "packages/hookwright/scripts/seeded-account.ts"];

/** Where `npm run screenshots` records the hash of the sources that it took the pictures of. */
export const hashFile = path.join(root, "docs/images/console.sha256");

/** SHA-256 in hex over the sources of the pictures. It is the same for every checkout: with CRLF or LF, on every system. */
export function hashPictureSources(): string {
  const files = globSync(sources, { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));
  const hash = createHash("sha256");
  for (const file of files.toSorted())
    hash.update(`${file}\n${readFileSync(path.join(root, file), "utf8").replaceAll("\r\n", "\n")}\n`);
  return hash.digest("hex");
}
