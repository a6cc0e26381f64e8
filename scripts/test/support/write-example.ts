import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ROOT } from "../../bootstrap/root.mjs";

let written = 0;

/**
 * Puts the code of an example where its imports resolve as they do for the page's own package (for pages beside the packages,
 * as they do for the guides). Git and the checks pass over that folder; it goes with the last file in it.
 */
export function writeExample(place: string, code: string): { readonly file: string; remove(): void } {
  const owner = /^(?:packages\/[^/]+|reference-server)(?=\/)/u.exec(place)?.[0] ?? "docs";
  const folder = path.join(ROOT, owner, ".readme-examples");
  const file = path.join(folder, `${process.pid}-${written++}.ts`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  return {
    file,
    remove() {
      rmSync(file, { force: true });
      if (readdirSync(folder).length === 0) rmdirSync(folder);
    },
  };
}
