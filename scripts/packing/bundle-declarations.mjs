// `node bundle-declarations.mjs NAME …` writes the declarations of each entry of these packages into their `dist`. The compiler that
// checks the types has emitted one for each source. Bundling these takes a tenth of the time of compiling all sources again.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { build } from "tsup";
import { readWorkspace, ROOT } from "../bootstrap/workspace.mjs";

/** Below the folder of a package. The bundler leaves out what is in `node_modules`. */
const COPIES = ".temp/declarations";

const wanted = new Set(process.argv.slice(2));
for (const { folder, manifest } of readWorkspace().filter(({ name }) => wanted.has(name))) {
  const names = Object.values(manifest.exports ?? {}).flatMap((entry) => {
    const { types } = Object(entry);
    return typeof types === "string" ? [path.basename(types, ".d.ts")] : [];
  });
  if (names.length === 0) continue;
  // tsup reads the manifest in the working directory, for the names of other packages.
  process.chdir(folder);
  copyDeclarations();
  await build({
    config: false,
    entry: Object.fromEntries(names.map((name) => [name, `${COPIES}/${name}.d.ts`])),
    dts: { only: true },
    format: "esm",
    tsconfig: path.join(ROOT, "tsconfig.build.json"),
    // Parts that several entries share have names with hashes. Code is kept.
    clean: true,
    silent: true,
  });
  rmSync(".temp", { recursive: true });
}

/**
 * Copies what the compiler emitted. It emits the parts of a package that need other libraries into a folder of their own, and keeps
 * names that end with `.ts`, which the bundler would not find.
 */
function copyDeclarations() {
  rmSync(COPIES, { recursive: true, force: true });
  const cache = "node_modules/.cache";
  for (const emitted of readdirSync(cache).filter((name) => /^types\b/.test(name)))
    copy(path.join(cache, emitted, "src"), COPIES);
}

/** @param {string} from @param {string} to */
function copy(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copy(source, target);
    else if (entry.name.endsWith(".d.ts"))
      writeFileSync(
        target,
        readFileSync(source, "utf8").replaceAll(/(\bfrom |\bimport\()"(\.[^"]+)\.tsx?"/g, '$1"$2.js"'),
      );
  }
}
