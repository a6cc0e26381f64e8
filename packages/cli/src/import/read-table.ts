import { parseJsonText } from "../api/fields.ts";

/** A line of a file, or why it cannot be read. Reasons never show values, which may be secrets. */
export type TableRow = { readonly line: number } & (
  | { readonly fields: Readonly<Record<string, unknown>> }
  | { readonly problem: string }
);

/** Of one row, in UTF-16 units. */
const longestRow = 65_536;

/** Reads NDJSON if the text begins with a brace, and otherwise CSV with a line of names (RFC 4180). Empty lines are left out. */
export function readTable(text: string): readonly TableRow[] {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const start = content.trimStart();
  if (start.startsWith("["))
    return [
      { line: 1, problem: "begins a JSON list. Write each object on a line of its own, without the list" },
    ];
  return start.startsWith("{") ? readLines(content) : readCsv(content);
}

function readLines(text: string): readonly TableRow[] {
  return text.split("\n").flatMap((row, index): TableRow[] => {
    const line = index + 1;
    if (row.trim() === "") return [];
    if (row.length > longestRow) return [{ line, problem: `is longer than ${longestRow} characters` }];
    const fields = parseJsonText(row);
    if (typeof fields !== "object" || fields === null || Array.isArray(fields))
      return [{ line, problem: "is not a JSON object" }];
    return [{ line, fields: { ...fields } }];
  });
}

function readCsv(text: string): readonly TableRow[] {
  const [header, ...rows] = splitCsv(text);
  if (header === undefined) return [];
  if ("problem" in header) return [header];
  const names = header.cells.map((name) => name.trim().toLowerCase());
  const second = names.findIndex((name, index) => name !== "" && names.indexOf(name) < index);
  if (second !== -1)
    return [
      {
        line: header.line,
        problem: `fields ${names.indexOf(names[second] ?? "") + 1} and ${second + 1} have the same name`,
      },
    ];
  return rows.map((row): TableRow => {
    if ("problem" in row) return row;
    const { line, cells } = row;
    if (cells.length !== names.length)
      return { line, problem: `has ${cells.length} fields, but the first line names ${names.length}` };
    const entries = names.map((name, index) => [name, cells[index] ?? ""] as const);
    return { line, fields: Object.fromEntries(entries.filter(([, value]) => value.trim() !== "")) };
  });
}

type CsvRow = { readonly line: number } & (
  | { readonly cells: readonly string[] }
  | { readonly problem: string }
);

/** A quoted field may contain separators, line ends and doubled quotation marks. */
function splitCsv(text: string): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  const separator = findSeparator(text);
  const plain = new RegExp(`[^"\\r\\n${separator}]*`, "y");
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const begun = { line, at };
    const cells: string[] = [];
    for (;;) {
      plain.lastIndex = at;
      const isQuoted = text[at] === '"';
      const whole = isQuoted ? text.slice(at, endOfQuoted(text, at)) : (plain.exec(text)?.[0] ?? "");
      cells.push(isQuoted ? whole.slice(1, -1).replaceAll('""', '"') : whole);
      line += whole.split("\n").length - 1;
      at += whole.length;
      if (text[at] !== separator) break;
      at += 1;
    }
    const end = /\r\n?|\n|$/y;
    end.lastIndex = at;
    const ended = end.exec(text);
    // After an open quotation mark nothing can be trusted, so the rest is not read.
    if (ended === null)
      return [
        ...rows,
        {
          line: begun.line,
          problem: "has a quotation mark that is not closed or doubled. What follows was not read",
        },
      ];
    at += ended[0].length;
    line += 1;
    if (at - begun.at > longestRow)
      rows.push({ line: begun.line, problem: `is longer than ${longestRow} characters` });
    else if (cells.length > 1 || cells[0]?.trim() !== "") rows.push({ line: begun.line, cells });
    if (ended[0] === "") break;
  }
  return rows;
}

/** Where a decimal comma is usual, spreadsheets write semicolons. The names of the fields have none of them. */
function findSeparator(text: string): string {
  const [names = ""] = /^.*/u.exec(text) ?? [];
  return [",", ";", "\t"].find((each) => names.includes(each)) ?? ",";
}

/** The place behind a quoted field, or `at` if its quotation mark is not closed. A regular expression would overflow its stack. */
function endOfQuoted(text: string, at: number): number {
  let mark = text.indexOf('"', at + 1);
  while (mark !== -1 && text[mark + 1] === '"') mark = text.indexOf('"', mark + 2);
  return mark === -1 ? at : mark + 1;
}
