import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { FLEETING } from "../bootstrap/fingerprint.mjs";
import { ROOT } from "../bootstrap/root.mjs";
import { readManifest, readWorkspace, runtimeNeeds } from "../bootstrap/workspace.mjs";
import { findCycles } from "./find-cycles.mjs";
import { findFolderCycles } from "./find-folder-cycles.mjs";
import { judgeImport } from "./import-rules.mjs";
import { LAYERS } from "./layers.mjs";
import { readImports } from "./read-imports.mjs";

const SOURCE_FILE = /\.(?:[cm]?[jt]sx?|vue)$/;
const NO_SOURCES = new Set(["node_modules", "dist", "coverage"]);

/**
 * Proves the layering of the packages: the direction of their imports, that each import is declared and offered, and that
 * neither packages nor the folders and files of one package need each other in a circle.
 *
 * @param {{ root: string }} options
 * @returns {string[]} One line for each violation, `file:line: why`.
 */
export function checkImportDirection({ root }) {
  const packages = readWorkspace(root);
  const workspace = new Map(packages.map((owner) => [owner.name, owner]));
  const rootManifest = readManifest(root);
  const violations = [];

  for (const owner of packages) {
    const isLayered =
      path.relative(root, owner.folder).startsWith("packages") ||
      path.relative(root, owner.folder) === "reference-server";
    if (isLayered && LAYERS[owner.name] === undefined)
      violations.push(`${owner.name} has no place in scripts/checks/layers.mjs yet`);
    /** @type {Map<string, string[]>} */
    const graph = new Map();
    for (const file of listFiles(owner.folder)) {
      const isSource = file.startsWith("src/");
      const place = path.posix.join(path.relative(root, owner.folder).replaceAll(path.sep, "/"), file);
      for (const { specifier, typeOnly, line } of readImports(
        file,
        readFileSync(path.join(owner.folder, file), "utf8"),
      )) {
        const problem = judgeImport(
          { owner, file, isSource, specifier, typeOnly },
          { workspace, rootManifest },
        );
        if (problem !== undefined) violations.push(`${place}:${line}: "${specifier}": ${problem}`);
        if (specifier.startsWith("."))
          graph.set(file, [...(graph.get(file) ?? []), path.posix.join(path.posix.dirname(file), specifier)]);
      }
    }
    for (const cycle of findCycles(graph))
      violations.push(`${owner.name}: these files need each other: ${cycle.join(" → ")}`);
    for (const cycle of findFolderCycles(graph))
      violations.push(`${owner.name}: these folders need each other: ${cycle}`);
  }

  const needs = new Map(packages.map(({ name, manifest }) => [name, runtimeNeeds(manifest)]));
  for (const cycle of findCycles(needs))
    violations.push(`these packages need each other: ${cycle.join(" → ")}`);
  return violations;
}

/** @param {string} folder @param {string} [under] @returns {string[]} */
function listFiles(folder, under = "") {
  if (!existsSync(path.join(folder, under))) return [];
  return readdirSync(path.join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(under, entry.name);
    if (entry.isDirectory())
      return NO_SOURCES.has(entry.name) || entry.name.startsWith(".") ? [] : listFiles(folder, file);
    return SOURCE_FILE.test(entry.name) && !FLEETING.test(entry.name) ? [file] : [];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const violations = checkImportDirection({ root: ROOT });
  for (const violation of violations) process.stdout.write(`${violation}\n`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
