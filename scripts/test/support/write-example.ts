import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ROOT } from "../../bootstrap/root.mjs";

let written = 0;

/**
 * Puts the code of an example where its imports resolve as they do for the page's own package (for pages beside the packages,
 * as they do for the guides). Git and the checks pass over that folder; it goes with the last file in it.
 */
export function writeExample(
  place: string,
  code: string,
  { root = ROOT }: { readonly root?: string } = {},
): { readonly file: string; remove(): void } {
  const owner = /^(?:packages\/[^/]+|reference-server)(?=\/)/u.exec(place)?.[0] ?? "docs";
  const folder = path.join(root, owner, ".readme-examples");
  const file = path.join(folder, `${process.pid}-${written++}.ts`);
  write(file, code);
  return {
    file,
    remove() {
      rmSync(file, { force: true });
      try {
        rmdirSync(folder);
      } catch {
        // There are others in it, or another process has just removed it.
      }
    },
  };
}

/** Again where another process removes the folder, with the last of its own examples, between the two steps. */
function write(file: string, code: string, triesLeft = 20): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  } catch (error) {
    if (triesLeft === 0) throw error;
    write(file, code, triesLeft - 1);
  }
}
