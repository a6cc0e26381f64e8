/**
 * The built files that a manifest promises. Declarations are no part of a JavaScript build.
 *
 * @param {import("./workspace.mjs").Manifest} manifest
 * @param {import("./build-packages.mjs").BuildKind} kind
 */
export function listEntryPoints(manifest, kind) {
  const files = new Set([...collectStrings(manifest.bin), ...collectStrings(manifest.exports)]);
  return [...files]
    .filter((file) => file.startsWith("./dist/") && !file.includes("*"))
    .filter((file) => kind === "full" || !/\.d\.[cm]?ts$/.test(file));
}

/** @param {unknown} value @returns {string[]} */
function collectStrings(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(collectStrings) : [];
}
