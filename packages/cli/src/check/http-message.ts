import { isRow } from "../api/fields.ts";
import { ownError } from "../cli-error.ts";

/** Header lines in their order. A repeated header stays repeated. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/**
 * Parses a headers file: header lines, with or without a request line, or a JSON object. An array in the object is a
 * repeated header.
 *
 * @throws {CliError} `wrong_usage`
 */
export function parseHeaders(text: string, file: string): HeaderLines {
  if (text.trim() === "")
    throw ownError("wrong_usage", `${file} is empty. It must contain the request headers.`);
  return text.trimStart().startsWith("{") ? parseObject(text, file) : parseLines(text, file);
}

function parseObject(text: string, file: string): HeaderLines {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw ownError("wrong_usage", `${file} begins like a JSON object, but is not JSON.`, error);
  }
  if (!isRow(content)) throw ownError("wrong_usage", `${file} must be a JSON object of headers.`);
  // A stored delivery or request has its headers below `headers`.
  const headers = isRow(content["headers"]) ? content["headers"] : content;
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as const),
  );
}

function parseLines(text: string, file: string): HeaderLines {
  const lines: [string, string][] = [];
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    // Output of `curl -v` marks the lines that were sent.
    const plain = line.replace(/^[<>] ?/u, "");
    if (plain.trim() === "") {
      if (lines.length > 0) break;
      continue;
    }
    if (/^[A-Z]+ \S+ HTTP\/[\d.]+$/u.test(plain) || /^HTTP\/[\d.]+ \d+/u.test(plain)) continue;
    const [, name, value] = /^([^\s:]+)\s*:\s?(.*)$/u.exec(plain) ?? [];
    if (name === undefined || value === undefined) {
      throw ownError(
        "wrong_usage",
        `${file}, line ${index + 1} is not a header. Write one \`Name: value\` per line, or a JSON object.`,
      );
    }
    lines.push([name, value.trimEnd()]);
  }
  return lines;
}
