import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../bootstrap/workspace.mjs";
import { readManifest, readWorkspace } from "../bootstrap/workspace.mjs";

const page = "docs/decisions/dependencies.md";

it("the dependencies page lists exactly the dependencies of all packages", () => {
  const manifests = [ROOT, ...readWorkspace(ROOT).map(({ folder }) => folder)].map(readManifest);
  const used = manifests.flatMap(
    ({ dependencies, devDependencies, optionalDependencies, peerDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })
        .filter(([, range]) => !range.startsWith("workspace:"))
        .map(([name]) => name),
  );
  const text = readFileSync(path.join(ROOT, page), "utf8");
  const firstCells = [...text.matchAll(/^\| (`[^|]+`) \|/gmu)].map(([, cell = ""]) => cell);
  const listed = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/gu)].map(([, name = ""]) => name));
  expect(listed.toSorted(), `${page}: one line for each, with the reason for the choice`).toEqual(
    [...new Set(used)].toSorted(),
  );
});
