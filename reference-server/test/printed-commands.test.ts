import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "./support/run-command.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Texts that tell people what to run: sources of pages, messages and help, guides and READMEs. */
const files = globSync(
  ["{packages/*,reference-server}/{src,site}/**/*.{ts,tsx}", "docs/**/*.md", "**/README.md", "*.md"],
  { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] },
);

/** `hookwright …` at the beginning of a line or of code, up to the end of the command. */
const mentioned = files.flatMap((file) =>
  [
    ...readFileSync(path.join(root, file), "utf8").matchAll(
      /(?:^(?:\$ |[A-Z_]+=\S+ )*|`|command: "|<code>|&& |npx )hookwright (?!needs|cannot|console)([a-z][\w-]*(?:\\`|[^`\n|#<>&])*)/gmu,
    ),
  ].map(([, command = ""]) => `${file}: ${command.trim()}`),
);

it("every command that a text mentions exists, and has the options that it is mentioned with", async () => {
  expect(mentioned.length).toBeGreaterThan(150);
  const helps = new Map<string, string>();
  const refused: string[] = [];
  for (const line of new Set(mentioned)) {
    const [, name = "", options = ""] = /^\S+: ([\w-]+)(.*)$/u.exec(line) ?? [];
    if (!helps.has(name)) {
      const { code, printed } = await runCommand([name, "--help"]);
      helps.set(name, code === 0 ? printed : "");
    }
    const help = helps.get(name) ?? "";
    const flags = [...options.matchAll(/(?<=\s)--(?!help\b)[a-z][\w-]*/gu)].map(([flag]) => flag);
    if (help === "" || flags.some((flag) => !new RegExp(`${flag}\\b`, "u").test(help))) refused.push(line);
  }
  expect(refused).toEqual([]);
});
