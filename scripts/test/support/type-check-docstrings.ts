import { readFileSync } from "node:fs";
import path from "node:path";
import { readManifest } from "../../bootstrap/workspace.mjs";
import { ROOT } from "../../bootstrap/workspace.mjs";
import type { DocstringExample } from "./read-docstring-examples.ts";
import { typeCheckExamples } from "./type-check-examples.ts";

/** Allowed errors: docstrings may use undeclared names and may leave results unused. */
const GRANTED = [
  "Cannot find name '",
  "No value exists in scope for the shorthand property '",
  "All destructured elements are unused",
  "Not all code paths return a value",
  "is declared but its value is never read",
  // The inferred type of an undeclared name.
  "is of type 'unknown'",
];

/**
 * Compiles examples of docstrings. Exports of their own package need no import.
 *
 * @returns the compiler errors, one per line
 */
export function typeCheckDocstrings(examples: readonly DocstringExample[]): string[] {
  const pages = examples.map(({ place, code }) => {
    const lines = code.split("\n");
    const isImport = (line: string): boolean => line.startsWith("import ");
    const head = [...lines.filter(isImport), ...importsOf(place, code)].join(" ");
    // The parameter `event` shadows the global `event` of browsers.
    const body = lines.filter((line) => !isImport(line)).join("\n");
    return { place, info: "", code: `${head} export async function example(event: any) { { ${body}\n} }` };
  });
  return typeCheckExamples(pages).filter((line) => !GRANTED.some((words) => line.includes(words)));
}

/** Import declarations for the names in an example that its package exports. */
function importsOf(place: string, code: string): string[] {
  const folder = place.split("/", 2).join("/");
  const { name = "", exports = {} } = readManifest(path.join(ROOT, folder));
  /** The module of each name. If several entries export a name, any of them will do. */
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
