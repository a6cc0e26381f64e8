import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { logLines } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { serverLogLines } from "../../reference-server/src/server-log-lines.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** The rows of the table below a heading, as cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const page = readFileSync(path.join(root, "docs/reference/log-lines.md"), "utf8");
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  const rows = own.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** All sources of a folder, but the tables of lines themselves. */
function sourcesIn(folder: string): string {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && !file.endsWith("log-lines.ts"))
    .map((file) => readFileSync(path.join(root, folder, file), "utf8"))
    .join("\n");
}

const library = ["api", "delivery", "hookwright", "service"].map((name) => `packages/${name}/src`);

describe.each([
  ["Lines of the library", logLines, library],
  ["Lines of the standalone server", serverLogLines, ["reference-server/src"]],
] as const)("%s", (heading, lines, folders) => {
  it("are listed with the code, the level and the message of each", () => {
    expect(rowsBelow(heading)).toEqual(
      Object.entries(lines).map(([code, { level, message }]) => [`\`${code}\``, level, message]),
    );
  });

  it("are all written somewhere", () => {
    const sources = folders.map(sourcesIn).join("\n");
    expect(Object.keys(lines).filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
  });

  it("have codes in snake case and messages that end a sentence", () => {
    for (const [code, { message }] of Object.entries(lines)) {
      expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/u);
      if (!["listening", "stopping", "stopped"].includes(code))
        expect([code, message]).toEqual([code, expect.stringMatching(/\.$/u)]);
    }
  });
});
