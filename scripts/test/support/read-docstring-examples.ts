/** The code of an `@example`, with the file and the line of the tag. */
export interface DocstringExample {
  readonly place: string;
  readonly code: string;
}

/** Every `@example` of a source file, except those with `…` for omitted code. */
export function readDocstringExamples(file: string, source: string): DocstringExample[] {
  return [...source.matchAll(/\/\*\*(?<comment>[\s\S]*?)\*\//gu)].flatMap(({ index, groups }) => {
    const lines = (groups?.["comment"] ?? "").split("\n").map((line) => line.replace(/^\s*\* ?/u, ""));
    const start = lines.findIndex((line) => /(?:^|\s)@example\b/u.test(line));
    if (start === -1) return [];
    const [, first = ""] = /(?:^|\s)@example\b\s*(.*)$/u.exec(lines[start] ?? "") ?? [];
    const after = lines.slice(start + 1);
    const end = after.findIndex((line) => /^@\w/u.test(line));
    const code = [first, ...after.slice(0, end === -1 ? after.length : end)].join("\n").trim();
    const line = source.slice(0, index).split("\n").length + start;
    // `…` is allowed inside strings, such as `"whsec_…"`.
    return /[{,]\s*…/u.test(code) ? [] : [{ place: `${file}:${line}`, code }];
  });
}
