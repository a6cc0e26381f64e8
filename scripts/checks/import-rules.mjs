import { isBuiltin } from "node:module";
import path from "node:path";
import { LAYERS } from "./layers.mjs";

/**
 * @typedef {import("../bootstrap/workspace.mjs").WorkspacePackage} WorkspacePackage
 * @typedef {import("../bootstrap/workspace.mjs").Manifest} Manifest
 * @typedef {{ owner: WorkspacePackage, file: string, isSource: boolean, specifier: string, typeOnly: boolean }} ImportInContext
 *   `file`: relative to the package's folder, with `/`; `isSource`: it lies under `src` and so is shipped.
 */

/**
 * Why this import is not allowed, or `undefined`.
 *
 * @param {ImportInContext} found
 * @param {{ workspace: ReadonlyMap<string, WorkspacePackage>, rootManifest: Manifest }} context
 * @returns {string | undefined}
 */
export function judgeImport(found, { workspace, rootManifest }) {
  const { specifier } = found;
  if (specifier.startsWith(".")) return judgeRelative(found);
  if (specifier.startsWith("#")) return judgeOwn(found);
  if (isBuiltin(specifier)) return judgeBuiltin(found);
  const { name, subpath } = splitSpecifier(specifier);
  const target = workspace.get(name);
  if (target === undefined) return judgeExternal(found, name, rootManifest);
  return (
    judgeLayer(found, target) ?? judgeDeclared(found, name, rootManifest) ?? judgeSubpath(target, subpath)
  );
}

/** @param {ImportInContext} found */
function judgeRelative({ owner, file, isSource, specifier }) {
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  if (target.startsWith(".."))
    return isSource ? `leaves ${owner.name}; import another package by its name` : undefined;
  if (!isSource) return undefined;
  if (!target.startsWith("src/") && !target.endsWith(".json"))
    return "a source may not need what is not shipped";
  if (target === "src/index.ts" && file !== target)
    return "inside a package import the file, not the package's own index";
  return undefined;
}

/** A name for a file of the package itself (Node's subpath imports). @param {ImportInContext} found */
function judgeOwn({ owner, specifier }) {
  if (matchesAny(Object.keys(owner.manifest.imports ?? {}), specifier)) return undefined;
  return `${specifier} is not among the imports in the package.json of ${owner.name}`;
}

/** @param {ImportInContext} found */
function judgeBuiltin({ owner, file, isSource, specifier }) {
  if (!specifier.startsWith("node:")) return `write it as "node:${specifier}"`;
  const allowed = LAYERS[owner.name]?.nodeBuiltins ?? "everywhere";
  if (!isSource || allowed === "everywhere") return undefined;
  if (allowed !== "nowhere" && allowed.some((place) => file.startsWith(`src/${place}`))) return undefined;
  return `${owner.name} runs without Node${allowed === "nowhere" ? "" : `, except in ${allowed.map((place) => `src/${place}`).join(" and ")}`}`;
}

/** @param {ImportInContext} found @param {string} name @param {Manifest} rootManifest */
function judgeExternal(found, name, rootManifest) {
  const externals = LAYERS[found.owner.name]?.externals;
  if (found.isSource && externals !== undefined && !externals.includes(name)) {
    return `${found.owner.name} depends on ${externals.length === 0 ? "nothing" : `${externals.join(", ")} alone`}`;
  }
  return judgeDeclared(found, name, rootManifest);
}

/** @param {ImportInContext} found @param {WorkspacePackage} target */
function judgeLayer({ owner, isSource, typeOnly }, target) {
  if (!isSource) return undefined;
  if (owner.name === target.name) return "inside a package import the file, not the package by its name";
  const layer = LAYERS[owner.name];
  if (layer === undefined) return undefined;
  if (!layer.mayImport.includes(target.name))
    return `${owner.name} may not import ${target.name}: imports point downward only`;
  if (layer.typesAlone && !typeOnly)
    return `${owner.name} may import types alone from ${target.name}: write \`import type\``;
  return undefined;
}

/** @param {ImportInContext} found @param {string} name @param {Manifest} rootManifest */
function judgeDeclared({ owner, isSource }, name, rootManifest) {
  if (name === owner.name) return undefined;
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = owner.manifest;
  const shipped = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  const declared = isSource ? shipped : { ...shipped, ...devDependencies, ...rootManifest.devDependencies };
  if (name in declared) return undefined;
  return isSource && name in (devDependencies ?? {})
    ? `${name} is a development dependency of ${owner.name}, and a shipped file needs it`
    : `${name} is not declared in the package.json of ${owner.name}`;
}

/** @param {WorkspacePackage} target @param {string} subpath */
function judgeSubpath({ name, manifest }, subpath) {
  const offered =
    typeof manifest.exports === "object" && manifest.exports !== null ? Object.keys(manifest.exports) : ["."];
  if (matchesAny(offered, subpath)) return undefined;
  return `${name} offers no "${subpath}" in its exports (it offers ${offered.map((entry) => `"${entry}"`).join(", ")})`;
}

/** Whether one of them is the name, or begins it and ends in `/*`. @param {readonly string[]} entries @param {string} name */
function matchesAny(entries, name) {
  return entries.some(
    (entry) => entry === name || (entry.endsWith("/*") && name.startsWith(entry.slice(0, -1))),
  );
}

/** @param {string} specifier */
function splitSpecifier(specifier) {
  const parts = specifier.split("/");
  const length = specifier.startsWith("@") ? 2 : 1;
  return { name: parts.slice(0, length).join("/"), subpath: [".", ...parts.slice(length)].join("/") };
}
