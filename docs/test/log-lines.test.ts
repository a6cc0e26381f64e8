import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { logLines } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { serverLogLines } from "../../reference-server/src/server-log-lines.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** The cells of the table under a heading. */
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

/** All sources of these folders by path, except the tables of log lines. */
function sourcesIn(folders: readonly string[]): ReadonlyMap<string, string> {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith("log-lines.ts"))
      .map((file) => path.posix.join(folder, file.replaceAll("\\", "/"))),
  );
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), "utf8")]));
}

const library = ["api", "delivery", "hookwright", "service"].map((name) => `packages/${name}/src`);

describe.each([
  ["Lines of the library", logLines, library],
  ["Lines of the standalone server", serverLogLines, ["reference-server/src"]],
] as const)("%s", (heading, lines, folders) => {
  it("are listed with their code, level and message", () => {
    expect(rowsBelow(heading)).toEqual(
      Object.entries(lines).map(([code, { level, component, message }]) => [
        `\`${code}\``,
        level,
        component,
        message,
      ]),
    );
  });

  it("are all used in the sources", () => {
    const sources = [...sourcesIn(folders).values()].join("\n");
    expect(Object.keys(lines).filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
  });

  it("have codes in snake case and messages that end with a period", () => {
    for (const [code, { message }] of Object.entries(lines)) {
      expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/u);
      if (!["listening", "stopping", "stopped"].includes(code))
        expect([code, message]).toEqual([code, expect.stringMatching(/\.$/u)]);
    }
  });
});

it("only mails are written without these tables, which give each line its component and code", () => {
  const written = [...sourcesIn([...library, "reference-server/src"]).values()].flatMap((source) =>
    [...source.matchAll(/\blogger\.(?:debug|info|warn|error)\(.*$/gmu)].map(([call]) => call),
  );
  expect(written).toEqual([mailCall, mailCall]);
});

const mailCall = 'logger.info("mail", { to, subject, text }),';
