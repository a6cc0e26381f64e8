import { readFileSync } from "node:fs";
import path from "node:path";
import { readManifest } from "../../bootstrap/workspace.mjs";
import { ROOT } from "../../bootstrap/root.mjs";
import type { DocstringExample } from "./read-docstring-examples.ts";
import { typeCheckExamples } from "./type-check-examples.ts";

/** What a docstring takes for granted: the reader's own names, which are of any type, and that something becomes of a result. */
const GRANTED = [
  "Cannot find name '",
  "No value exists in scope for the shorthand property '",
  "All destructured elements are unused",
  "Not all code paths return a value",
  "is declared but its value is never read",
  // What is inferred of a name that is of any type.
  "is of type 'unknown'",
];

/**
 * Compiles examples of docstrings. Whatever their own package exports is there without an import.
 *
 * @returns What the compiler says, a line for each.
 */
export function typeCheckDocstrings(examples: readonly DocstringExample[]): string[] {
  const pages = examples.map(({ place, code }) => {
    const lines = code.split("\n");
    const isImport = (line: string): boolean => line.startsWith("import ");
    const head = [...lines.filter(isImport), ...importsOf(place, code)].join(" ");
    // Browsers have an `event` of their own, which is not the one that is meant.
    const body = lines.filter((line) => !isImport(line)).join("\n");
    return { place, info: "", code: `${head} export async function example(event: any) { { ${body}\n} }` };
  });
  return typeCheckExamples(pages).filter((line) => !GRANTED.some((words) => line.includes(words)));
}

/** Import declarations of the names in an example that the package around it exports. */
function importsOf(place: string, code: string): string[] {
  const folder = place.split("/", 2).join("/");
  const { name = "", exports = {} } = readManifest(path.join(ROOT, folder));
  /** Where to import each name from; what several entries export is one thing. */
  const modules = new Map<string, string>();
  for (const entry of Object.keys(exports ?? {})) {
    if (entry.endsWith(".json")) continue;
    const file = path.join(ROOT, folder, "src", `${entry === "." ? "index" : entry.slice(2)}.ts`);
    for (const exported of exportedNames(readFileSync(file, "utf8")))
      if (uses(code, exported)) modules.set(exported, path.posix.join(name, entry));
  }
  return [...modules].map(([exported, module]) => `import { ${exported} } from "${module}";`);
}

function uses(code: string, name: string): boolean {
  const isDeclared = new RegExp(`\\b(?:const|function|class) ${name}\\b`, "u").test(code);
  return !isDeclared && new RegExp(`\\b${name}\\b`, "u").test(code);
}

function exportedNames(source: string): string[] {
  const lists = [...source.matchAll(/^export \{([^}]*)\}/gmu)].flatMap(([, list = ""]) => list.split(","));
  const declared = [...source.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gmu)];
  return [...lists.map((word) => word.trim()), ...declared.map(([, name = ""]) => name)].filter((word) =>
    /^\w+$/u.test(word),
  );
}
