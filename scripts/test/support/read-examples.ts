import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** A `ts` code block of a page. */
export interface Example {
  /** The page and the line of the fence, such as `packages/cursor/README.md:11`. */
  readonly place: string;
  /** The info string after the language: empty, `no-run: <reason>` or `file=<path>`. */
  readonly info: string;
  readonly code: string;
}

const pages = ["README.md", "packages/*/README.md", "reference-server/README.md", "docs/**/*.md"];

export function readAllExamples(root: string): Example[] {
  return globSync(pages, { cwd: root, exclude: (name) => name.endsWith("node_modules") })
    .toSorted()
    .flatMap((page) =>
      readExamples(page.replaceAll(path.sep, "/"), readFileSync(path.join(root, page), "utf8")),
    );
}

/** The code blocks of a page in TypeScript or JavaScript, with any name of these languages. */
export function readExamples(page: string, text: string): Example[] {
  const fence = /^(`{3,})(?:ts|typescript|js|javascript|mts|mjs)\b[ \t]*(.*)\n([\s\S]*?)^\1[ \t]*$/gmu;
  return [...text.matchAll(fence)].map(({ index, 2: info = "", 3: code = "" }) => ({
    place: `${page}:${text.slice(0, index).split("\n").length}`,
    info: info.trim(),
    code,
  }));
}
