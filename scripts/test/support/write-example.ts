import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ROOT } from "../../bootstrap/workspace.mjs";

let written = 0;

/**
 * Writes the code of an example into its package, so that its imports resolve as in that package. Pages outside packages use `docs`.
 * Git and the checks ignore the folder. It is removed with its last file.
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
        // It contains other examples, or another process has removed it.
      }
    },
  };
}

/** Retries if another process removes the folder between the two steps. */
function write(file: string, code: string, triesLeft = 20): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  } catch (error) {
    if (triesLeft === 0) throw error;
    write(file, code, triesLeft - 1);
  }
}
