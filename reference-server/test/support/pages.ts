import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export function readPage(file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}

/** The shell scripts of a page. */
function scriptsOf(page: string): string[] {
  return [...readPage(page).matchAll(/^ *```sh\n(.*?)^ *```/gmsu)].map(([, script = ""]) => script);
}

/** The script of a page that contains a text. */
export function scriptWith(page: string, text: string): string {
  const script = scriptsOf(page).find((each) => each.includes(text));
  if (script === undefined) throw new Error(`${page} has no script with ${text}`);
  return script;
}

/** The commands of the pages for operators that run with what the server has: without options. */
export function serverCommands(): string[] {
  const lines = globSync("docs/operations/*.md", { cwd: root })
    .flatMap((page) => scriptsOf(page).flatMap((script) => script.split("\n")))
    .map((line) => line.replace(/\s*#.*$/u, "").trim());
  return [...new Set(lines)].filter((line) => /^hookwright (?!serve)[\w-]+$/u.test(line)).toSorted();
}
