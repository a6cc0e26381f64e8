import { readFileSync } from "node:fs";
import path from "node:path";
import { readWorkspace, ROOT } from "../bootstrap/workspace.mjs";
import { isAllowed } from "./is-allowed.mjs";
import { BUNDLED, listShipped } from "./list-shipped.mjs";

/** The texts of the licences of the code in the developer site. */
export const NOTICES = path.join(ROOT, "packages", "console", "site", "public", "LICENSES.txt");

/**
 * Lists what we ship of others, and fails if a licence is not allowed or not written.
 *
 * @returns {{ code: number, output: string }}
 */
export function checkLicences({
  workspace = readWorkspace(),
  bundled = BUNDLED,
  notices = readFileSync(NOTICES, "utf8"),
} = {}) {
  const shipped = listShipped(workspace, bundled);
  const names = new Set([...bundled.values()].flat());
  const problems = [
    ...shipped
      .filter(({ license }) => !isAllowed(license))
      .map(
        ({ name, version, license, by }) =>
          `${name} ${version}, needed by ${by}: ${describe(license)} is not allowed. Replace the package, or explain the licence in scripts/licences/is-allowed.mjs.`,
      ),
    ...shipped
      .filter(({ name, version }) => names.has(name) && !notices.includes(`${name} ${version}`))
      .map(
        ({ name, version }) =>
          `${name} ${version} is not in ${path.basename(NOTICES)}. The README of the console says how to write it.`,
      ),
  ];
  const rows = shipped.map(({ name, version, license, by }) => [`${name} ${version}`, describe(license), by]);
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return {
    code: problems.length === 0 ? 0 : 1,
    output: (problems.length === 0 ? [...table, `\n${rows.length} packages`] : problems).join("\n"),
  };
}

/** @param {unknown} license */
function describe(license) {
  return typeof license === "string"
    ? license
    : license === undefined
      ? "no licence"
      : JSON.stringify(license);
}
