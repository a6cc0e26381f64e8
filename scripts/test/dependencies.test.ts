import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../bootstrap/root.mjs";
import { readManifest, readWorkspace } from "../bootstrap/workspace.mjs";

const page = "docs/decisions/dependencies.md";

it("every dependency of every package is accounted for, and none that is gone", () => {
  const manifests = [ROOT, ...readWorkspace(ROOT).map(({ folder }) => folder)].map(readManifest);
  const used = manifests.flatMap(
    ({ dependencies, devDependencies, optionalDependencies, peerDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })
        .filter(([, range]) => !range.startsWith("workspace:"))
        .map(([name]) => name),
  );
  const text = readFileSync(path.join(ROOT, page), "utf8");
  const firstCells = [...text.matchAll(/^\| (`[^|]+`) \|/gmu)].map(([, cell = ""]) => cell);
  const told = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/gu)].map(([, name = ""]) => name));
  expect(told.toSorted(), `${page}: one line for each, saying why it and not its rival`).toEqual(
    [...new Set(used)].toSorted(),
  );
});
