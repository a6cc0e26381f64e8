import path from "node:path";
import type { WorkspacePackage } from "../../bootstrap/workspace.mjs";

export interface PackageSources extends Pick<WorkspacePackage, "name" | "manifest"> {
  /** The text of each file below `src`, by its path below the package: `src/index.ts`. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * The packages of the workspace that each one may import in its sources. Imports point downward:
 *
 *     reference-server → hookwright → console, api → service → delivery → storage, signature, domain
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "@hookwright/signature": [],
  "@hookwright/cursor": [],
  "@hookwright/domain": [],
  "@hookwright/storage": [],
  "@hookwright/delivery": ["storage", "signature", "domain"],
  "@hookwright/service": ["cursor", "delivery", "storage", "signature", "domain"],
  "@hookwright/api": ["service", "domain"],
  "@hookwright/console": ["domain"],
  "@hookwright/console/site": ["domain"],
  "@hookwright/client": ["domain"],
  "@hookwright/cli": ["signature", "domain"],
  "@hookwright/msw": ["api", "service", "delivery", "storage", "signature", "domain"],
  hookwright: ["console", "api", "service", "delivery", "storage", "signature", "cursor", "domain"],
  "@hookwright/reference-server": ["hookwright", "storage", "cli", "signature", "domain"],
};

/** These import only types of the other packages. */
const TYPES_ONLY = new Set(["@hookwright/client"]);

/** Imports that break the layers, and cycles of files or folders. One line each, `package/file: "specifier": reason`. */
export function findImportProblems(packages: readonly PackageSources[]): string[] {
  const names = new Set(packages.map(({ name }) => name));
  return packages.flatMap(({ name, sources }) => {
    const allowed = LAYERS[name];
    if (allowed === undefined) return [`${name} has no place in LAYERS yet`];
    const problems: string[] = [];
    const files = new Map<string, string[]>();
    for (const [file, text] of sources) {
      for (const { specifier, isType } of readImports(text)) {
        const report = (reason: string): unknown =>
          problems.push(`${name}/${file}: "${specifier}": ${reason}`);
        if (specifier.startsWith(".")) {
          const target = path.posix.join(path.posix.dirname(file), specifier);
          if (!target.startsWith("src/") && !target.endsWith(".json")) report("leaves src");
          else if (target === "src/index.ts") report("inside a package import the file, not the index");
          files.set(file, [...(files.get(file) ?? []), target]);
          continue;
        }
        const target = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
        const entry = `.${specifier.slice(target.length)}`;
        const short = target.replace("@hookwright/", "");
        if (!names.has(target)) continue;
        if (target === name) report("inside a package import the file, not the package");
        else if (!allowed.includes(short)) report("imports point downward only");
        else if (TYPES_ONLY.has(name) && !isType) report("only types may be imported");
        const exports = packages.find((each) => each.name === target)?.manifest.exports ?? {};
        if (!(entry in exports)) report(`${target} has no such entry`);
      }
    }
    const folders = new Map<string, string[]>();
    for (const [file, targets] of files) {
      const from = toFolder(file);
      const needed = targets.map(toFolder).filter((folder) => folder !== from);
      folders.set(from, [...(folders.get(from) ?? []), ...needed]);
    }
    // A cycle of files that count as folders is a cycle of files.
    const ofFolders = findCycles(folders).filter((cycle) => cycle.some((folder) => !sources.has(folder)));
    const cycles = [...findCycles(files), ...ofFolders];
    return [...problems, ...cycles.map((cycle) => `${name}: cycle ${cycle.join(" → ")}`)];
  });
}

/** `src/a` of `src/a/b/c.ts`. A file directly in `src` counts as a folder. */
function toFolder(file: string): string {
  return file.split("/", 2).join("/");
}

function readImports(text: string): { readonly specifier: string; readonly isType: boolean }[] {
  const code = text.replaceAll(/^\s*(?:\*|\/\/|\/\*).*$/gmu, "");
  const statements = code.matchAll(
    /^(?:import|export)\s(?<type>type\s)?(?:[^"';]*?\sfrom\s)?"(?<name>[^"]+)"/gmu,
  );
  const calls = code.matchAll(/\bimport\("(?<name>[^"]+)"\)(?<type>\.|\[)?/gu);
  return [...statements, ...calls].map(({ groups }) => ({
    specifier: groups?.["name"] ?? "",
    isType: groups?.["type"] !== undefined,
  }));
}

/** The nodes of each cycle, with the first one repeated at the end. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) return void cycles.push([...trail.slice(at), node]);
    if (finished.has(node)) return;
    for (const next of new Set(graph.get(node))) visit(next, [...trail, node]);
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}
