import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../src/cli.ts";
import { createTestProgram } from "./support/test-program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Texts that tell people what to run: sources of pages, messages and help, guides and READMEs. */
const files = globSync(
  ["{packages/*,reference-server}/{src,site}/**/*.{ts,tsx}", "docs/**/*.md", "**/README.md", "*.md"],
  { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] },
);

/** `hookwright …` at the beginning of a line or of code, up to the end of the command. */
const printed = files.flatMap((file) =>
  [
    ...readFileSync(path.join(root, file), "utf8").matchAll(
      /(?:^(?:\$ |[A-Z_]+=\S+ )*|`|command: "|<code>|&& |npx )hookwright (?!needs|cannot|console)([a-z][\w-]*(?:\\`|[^`\n|#<>&])*)/gmu,
    ),
  ].map(([, command = ""]) => `${file}: ${command.trim()}`),
);

it("every command that a text mentions exists, and has the options that it is mentioned with", async () => {
  expect(printed.length).toBeGreaterThan(150);
  const helps = new Map<string, string>();
  const refused: string[] = [];
  for (const line of new Set(printed)) {
    const [, name = "", options = ""] = /^\S+: ([\w-]+)(.*)$/u.exec(line) ?? [];
    if (!helps.has(name)) {
      const program = createTestProgram({ commandLine: [name, "--help"] });
      helps.set(name, (await runCli(program)) === 0 ? program.printed.join("\n") : "");
    }
    const help = helps.get(name) ?? "";
    const flags = [...options.matchAll(/(?<=\s)--(?!help\b)[a-z][\w-]*/gu)].map(([flag]) => flag);
    if (help === "" || flags.some((flag) => !new RegExp(`${flag}\\b`, "u").test(help))) refused.push(line);
  }
  expect(refused).toEqual([]);
});
